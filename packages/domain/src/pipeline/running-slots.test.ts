import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jobToPreempt, type PreemptionRule, type RunningJob } from './running-slots.ts';

const RULE: PreemptionRule = { minRunMs: 30_000, slowBytesPerSecond: 64 * 1024, resumes: true };
const SLOW = { bytesPerSecond: 1 };
const FAST = { bytesPerSecond: 10_000_000 };

function job(ownerId: string, change: Partial<RunningJob> = {}): RunningJob {
  return { id: `${ownerId}-${crypto.randomUUID()}`, ownerId, forMs: 60_000, ...FAST, ...change };
}

function jobs(count: number, ...given: Parameters<typeof job>): RunningJob[] {
  return Array.from({ length: count }, () => job(...given));
}

describe('F2: preemption', () => {
  it.each<[string, RunningJob[], string[], Partial<PreemptionRule>, string | null]>([
    ['by an account that has them all', jobs(8, 'eve', SLOW), ['ann'], {}, 'eve'],
    [
      'also where its own jobs are first in the queue',
      jobs(8, 'eve', SLOW),
      ['eve', 'ann'],
      {},
      'eve',
    ],
    ['by the account with the most', [...jobs(2, 'bob'), ...jobs(6, 'eve')], ['ann'], {}, 'eve'],
    ['by fast jobs too', jobs(8, 'eve'), ['ann'], {}, 'eve'],
    ['not by fast jobs that would start over', jobs(8, 'eve'), ['ann'], { resumes: false }, null],
    ['by slow jobs that start over', jobs(8, 'eve', SLOW), ['ann'], { resumes: false }, 'eve'],
    [
      'not to an account with as many running jobs',
      [...jobs(4, 'ann'), ...jobs(4, 'eve')],
      ['ann'],
      {},
      null,
    ],
    ['not to the same account', jobs(8, 'eve', SLOW), ['eve', 'eve'], {}, null],
    ['not before its time', jobs(8, 'eve', { ...SLOW, forMs: 29_999 }), ['ann'], {}, null],
    ['not while no job waits', jobs(8, 'eve', SLOW), [], {}, null],
    ['by a slow job of one each', [job('bob'), job('eve', SLOW)], ['ann'], {}, 'eve'],
    ['not by a fast job of one each', [job('bob'), job('eve')], ['ann'], {}, null],
  ])('%s', (_, running, waiting, rule, owner) => {
    expect(jobToPreempt(running, waiting, { ...RULE, ...rule })?.ownerId ?? null).toBe(owner);
  });

  it('preempts the slowest job', () => {
    const slowest = job('eve', { bytesPerSecond: 3 });
    const running = [job('eve', { bytesPerSecond: 5 }), slowest, ...jobs(4, 'eve')];
    expect(jobToPreempt(running, ['ann'], RULE)).toBe(slowest);
  });

  it('continues until every waiting account has its share', () => {
    const owners = fc.constantFrom('ann', 'bob', 'cid', 'dan', 'eve');
    const speeds = fc.constantFrom(1, 10_000_000);
    const runs = fc.array(fc.record({ ownerId: owners, bytesPerSecond: speeds }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(runs, fc.array(owners, { minLength: 1, maxLength: 5 }), (begun, waiting) => {
        // Each waiting account has any number of jobs, and all are fast.
        let running = begun.map(({ ownerId, bytesPerSecond }) => job(ownerId, { bytesPerSecond }));
        const share = (owner: string) => running.filter(({ ownerId }) => ownerId === owner).length;
        for (let step = 0; ; step += 1) {
          expect(step).toBeLessThan(50);
          const given = jobToPreempt(running, waiting, RULE);
          if (!given) break;
          const next = [...waiting].sort((one, other) => share(one) - share(other))[0] ?? '';
          running = [...running.filter(({ id }) => id !== given.id), job(next)];
        }
        const least = Math.min(...waiting.map(share));
        for (const { ownerId } of running) expect(share(ownerId)).toBeLessThanOrEqual(least + 1);
      }),
    );
  });
});
