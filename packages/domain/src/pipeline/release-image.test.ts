import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../job/job-status.ts';
import { releaseImage } from './release-image.ts';
import { jobFixture } from './staging.fixture.ts';
import { advance } from './staging.ts';
import { requestPush } from './staging-requests.ts';

const NOW = new Date('2026-11-28T09:00:00Z');
const PULLED = {
  kind: 'pulled',
  digest: 'sha256:a',
  sightedAt: new Date(0),
  mediaType: 'm',
  size: 1,
} as const;

describe('the image of a job', () => {
  it('is removed only once the job is finished', () => {
    const released = JOB_STATUSES.filter((status) => releaseImage(jobFixture({ status }), NOW));
    expect(released).toEqual(['pushed', 'failed', 'cancelled']);
  });

  it('is removed once, which the timeline has', () => {
    const job = releaseImage(jobFixture({ status: 'pushed' }), NOW);
    expect(job).toMatchObject({
      status: 'pushed',
      imageReleasedAt: NOW,
      timeline: [{ at: NOW, status: 'pushed', kind: 'image_released' }],
    });
    expect(job && releaseImage(job, NOW)).toBeNull();
  });

  it.each([
    ['complete', 'lazy'],
    ['lazy', 'lazy'],
    ['eager', 'eager'],
  ] as const)('that was pulled %s is pulled %s again', (pullMode, again) => {
    expect(releaseImage(jobFixture({ status: 'pushed', pullMode }), NOW)?.pullMode).toBe(again);
  });

  it('is here again after the next pull', () => {
    const gone = jobFixture({ status: 'pulling', imageReleasedAt: NOW });
    expect(advance(gone, PULLED, NOW).imageReleasedAt).toBeNull();
  });

  it('may be pushed again while it is gone', () => {
    const gone = jobFixture({ status: 'pushed', imageReleasedAt: NOW });
    const push = { host: 'h', repository: 'r', tag: 't' } as Parameters<typeof requestPush>[1];
    expect(requestPush(gone, push, NOW)).toMatchObject({
      status: 'push_queued',
      imageReleasedAt: NOW,
    });
  });
});
