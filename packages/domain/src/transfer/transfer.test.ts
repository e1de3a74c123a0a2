import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../job/job-status.ts';
import { isSettled } from '../job/staging-job.ts';
import {
  type JobCounts,
  SELECTION_STATES,
  type SelectionState,
  type TransferOrder,
  transferJob,
  transferStatus,
} from './transfer.ts';

describe('the status of a transfer', () => {
  it.each<[string, JobCounts, SelectionState[], string]>([
    ['runs while one job does', { pushed: 99, pulling: 1 }, [], 'running'],
    ['runs while a job waits', { failed: 1, push_queued: 1 }, [], 'running'],
    ['runs while a pattern is not expanded', {}, ['queued'], 'running'],
    ['is done when all are pushed', { pushed: 3 }, ['done'], 'done'],
    ['is done when a pattern matched nothing', {}, ['done'], 'done'],
    ['failed when no job was pushed', { failed: 2 }, [], 'failed'],
    ['failed when its only pattern could not be read', {}, ['failed'], 'failed'],
    ['failed in part', { failed: 1, pushed: 1 }, [], 'partly_failed'],
    [
      'failed in part where a pattern could not be read',
      { pushed: 1 },
      ['failed', 'done'],
      'partly_failed',
    ],
    ['a failure outweighs a cancellation', { failed: 1, cancelled: 1 }, [], 'failed'],
    ['was cancelled', { cancelled: 1, pushed: 4 }, [], 'cancelled'],
    ['a count of zero is none', { pulling: 0, pushed: 1 }, [], 'done'],
  ])('%s', (_, counts, selections, expected) => {
    expect(transferStatus(counts, selections)).toBe(expected);
  });

  const counts = fc.dictionary(fc.constantFrom(...JOB_STATUSES), fc.nat({ max: 5 }));
  const states = fc.array(fc.constantFrom(...SELECTION_STATES), { maxLength: 4 });

  it('is `running` exactly while a job or selection is open', () => {
    fc.assert(
      fc.property(counts, states, (jobs, selections) => {
        const moving = JOB_STATUSES.some((status) => !isSettled(status) && (jobs[status] ?? 0) > 0);
        expect(transferStatus(jobs, selections) === 'running').toBe(
          moving || selections.includes('queued'),
        );
      }),
    );
  });

  it('is never `done` for a batch with a failure', () => {
    fc.assert(
      fc.property(counts, states, (jobs, selections) => {
        const failed = (jobs.failed ?? 0) > 0 || selections.includes('failed');
        if (failed) expect(transferStatus(jobs, selections)).not.toBe('done');
      }),
    );
  });
});

describe('the jobs of a transfer', () => {
  const order: TransferOrder = {
    source: { kind: 'registry', registryId: 'r', host: 'r.example' },
    destination: { kind: 'local', registryId: '__local__', host: 'here' },
    entries: [],
    platforms: ['linux/amd64'],
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    withReferrers: true,
    bypass: { allowed: true, reason: null },
  };
  const about = { by: { id: 'u', username: 'ada' }, pushId: 'p', now: new Date(0) };
  const entry = { image: 'team/app', repository: 'gate/app', tags: { tag: '1' }, targetTag: null };

  it('push automatically, to the repository that was checked, under the tag of the source', () => {
    const job = transferJob(order, { entry, tag: '1' }, about);
    expect(job).toMatchObject({
      auto: true,
      image: 'team/app',
      tag: '1',
      ownerId: 'u',
      withReferrers: true,
      platforms: ['linux/amd64'],
    });
    expect(job.pushes).toMatchObject([
      { repository: 'gate/app', tag: '1', kind: 'local', requestedById: 'u' },
    ]);
  });

  it('use a target tag instead of the source’s tag', () => {
    const named = { ...entry, targetTag: 'stable' };
    const job = transferJob(order, { entry: named, tag: '1' }, about);
    expect(job.pushes[0]?.tag).toBe('stable');
  });
});
