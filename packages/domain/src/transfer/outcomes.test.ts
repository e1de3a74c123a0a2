import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JOB_STATUSES } from '../job/job-status.ts';
import { jobOutcome, transferOutcomes } from './outcomes.ts';

it.each([
  ['blocked pushes have not failed', { failed: 3, pushed: 1 }, [2, 2], [1, 2, 1, 0, 0]],
  ['a blocked image that waits for a review is not open', { staged: 2 }, [1, 0], [0, 1, 0, 0, 1]],
  [
    'a blocked image under review takes nothing from the failed ones',
    { failed: 2, staged: 2 },
    [2, 0],
    [0, 2, 2, 0, 0],
  ],
  ['what waits or runs is open', { scan_queued: 1, pushing: 2 }, [0, 0], [0, 0, 0, 0, 3]],
  ['cancelled jobs are apart', { cancelled: 4 }, [0, 0], [0, 0, 0, 4, 0]],
  ['there are no jobs yet', {}, [0, 0], [0, 0, 0, 0, 0]],
])('%s', (_, counts, [blocked = 0, refused = 0], expected) => {
  const { pushed, failed, cancelled, open, ...rest } = transferOutcomes({
    counts,
    blocked,
    refused,
  });
  expect([pushed, rest.blocked, failed, cancelled, open]).toEqual(expected);
});

it('each job counts once', () => {
  const counts = fc.dictionary(fc.constantFrom(...JOB_STATUSES), fc.nat({ max: 5 }));
  fc.assert(
    fc.property(counts, fc.nat(), fc.nat(), (jobs, someRefused, someStaged) => {
      const refused = someRefused % ((jobs.failed ?? 0) + 1);
      const blocked = refused + (someStaged % ((jobs.staged ?? 0) + 1));
      const outcomes = Object.values(transferOutcomes({ counts: jobs, blocked, refused }));
      const sum = (all: number[]) => all.reduce((total, each) => total + each, 0);
      expect(sum(outcomes)).toBe(sum(Object.values(jobs)));
      expect(Math.min(...outcomes)).toBeGreaterThanOrEqual(0);
    }),
  );
});

it.each([
  ['pushed', 'pushed', null, 'pushed'],
  ['refused by the gate', 'failed', 'VULN_BLOCKED', 'blocked'],
  ['failed for another reason', 'failed', 'MANIFEST_UNKNOWN', 'failed'],
  ['cancelled', 'cancelled', null, 'cancelled'],
  ['running', 'pushing', null, 'open'],
] as const)('a job that is %s has the outcome of the counts', (_, status, code, outcome) => {
  const error = code === null ? null : { code };
  expect(jobOutcome({ status, error, verdict: 'findings' })).toBe(outcome);
});

it('an image under review is blocked by its verdict, and open without one', () => {
  const job = { status: 'staged', error: null } as const;
  expect(jobOutcome({ ...job, verdict: 'blocked' })).toBe('blocked');
  expect(jobOutcome({ ...job, verdict: 'clean' })).toBe('open');
});
