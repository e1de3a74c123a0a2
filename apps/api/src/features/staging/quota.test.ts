import { samplePrincipal } from '@portcullis/testing/samples';
import { describe, expect, it } from 'vitest';
import { createJobQuota } from './quota.ts';

const ANN = samplePrincipal();
const assertJobs = createJobQuota(
  {
    countByStatus: async () => ({
      pull_queued: 3,
      scanning: 2,
      pushed: 90,
      failed: 70,
      cancelled: 50,
    }),
  },
  10,
);

describe('jobs of an account that wait or run', () => {
  it('are limited by the setting; finished jobs do not count', async () => {
    await assertJobs(ANN, 5);
    await expect(assertJobs(ANN, 6)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'JOBS_MANY',
      detail: { open: 5, most: 10 },
    });
  });

  it('are unlimited for an administrator', async () => {
    await assertJobs({ ...ANN, isAdmin: true }, 1_000);
  });
});
