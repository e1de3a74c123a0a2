import { unavailable } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import type { Matcher } from '@portcullis/scanner';
import type { RematchCounts, RematchData } from '@portcullis/store';
import { expect, it } from 'vitest';
import { type RematchesPorts, type RematchOutcome, rematcher } from './rematches.ts';

const DATA: RematchData = { dbUpdatedAt: new Date(0), javaSince: null, profile: 'p' };
const never = new AbortController().signal;

interface Situation extends Partial<RematchesPorts> {
  images?: string[];
  outcomes?: Record<string, RematchOutcome | Error>;
  matcher?: Partial<Matcher>;
  starts?: (Error | null)[];
}

function setUp({ images = ['a', 'b'], outcomes = {}, ...change }: Situation = {}) {
  const { matcher: differences, starts = [], ...ports } = change;
  const did: string[] = [];
  let left = images;
  let time = 0;
  const totals = { matched: 0, changed: 0, skipped: 0, failed: 0 };
  const add = (counts: RematchCounts) => {
    for (const key of ['matched', 'changed', 'skipped', 'failed'] as const)
      totals[key] += counts[key];
  };
  const matcher: Matcher = {
    dbUpdatedAt: '1970-01-01T00:00:00Z',
    profile: 'p',
    pid: 1,
    hasEnded: () => false,
    isCurrent: async () => true,
    match: async () => null,
    plan: async () => ({ from: 'then', isUnchanged: () => false }),
    [Symbol.asyncDispose]: async () => void did.push('stop'),
    ...differences,
  };
  const { next, isAble } = rematcher({
    rematches: {
      claim: async () => (left.length === 0 ? null : { attempts: 1 }),
      due: async () => left.map((digest) => ({ digest, dbUpdatedAt: 'then' })),
      async renew(_, counts) {
        add(counts);
        return true;
      },
      release: async (_, counts) => add(counts),
      async leave(digest) {
        did.push(`leave ${digest}`);
        left = left.filter((each) => each !== digest);
      },
    },
    data: async () => DATA,
    async startMatcher() {
      const fault = starts.shift();
      if (fault) throw fault;
      did.push('start');
      return matcher;
    },
    async rematch(digest) {
      did.push(digest);
      const outcome = outcomes[digest] ?? 'same';
      if (outcome instanceof Error) throw outcome;
      if (outcome !== 'unmatched') left = left.filter((each) => each !== digest);
      return outcome;
    },
    confirm: async (digests) => {
      did.push(`confirm ${digests.join()}`);
      left = left.filter((each) => !digests.includes(each));
    },
    searchFactor: 1,
    now: () => time,
    log: createLogger({ name: 'test', level: 'silent' }),
    ...ports,
  });
  const wait = (ms: number) => {
    time += ms;
  };
  return { next, isAble, did, totals, wait };
}

it('all images are compared by one server, one after the other; then it pauses', async () => {
  const { next, did, totals } = setUp({ outcomes: { b: 'changed' } });
  expect([await next(never), await next(never)]).toEqual([true, false]);
  expect(did).toEqual(['start', 'a', 'b', 'stop']);
  expect(totals).toEqual({ matched: 2, changed: 1, skipped: 0, failed: 0 });
});

it('an image without stored analyses is left to a scan', async () => {
  const { next, did, totals } = setUp({ outcomes: { a: 'unmatched' } });
  await next(never);
  expect(did).toEqual(['start', 'a', 'leave a', 'b', 'stop']);
  expect(totals).toEqual({ matched: 1, changed: 0, skipped: 0, failed: 1 });
});

it('an image at which the server fails is left to a scan, and the others follow with a new one', async () => {
  let ended = false;
  const { next, did } = setUp({
    outcomes: { a: unavailable('REMATCH_FAILED', 'x') },
    matcher: { hasEnded: () => ended },
  });
  ended = true;
  await next(never);
  ended = false;
  await next(never);
  expect(did).toEqual(['start', 'a', 'leave a', 'stop', 'start', 'b', 'stop']);
});

it("a fault of the database is not the image's: it is compared again later", async () => {
  const { next, did } = setUp({ outcomes: { a: unavailable('DATABASE_UNAVAILABLE', 'x') } });
  await expect(next(never)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect(did).toEqual(['start', 'a', 'stop']);
});

it('a newer database ends the server at the next image', async () => {
  let images = 0;
  const { next, did } = setUp({ matcher: { isCurrent: async () => images++ < 1 } });
  await next(never);
  expect(did).toEqual(['start', 'a', 'stop']);
});

it('a server with another database than the one that was claimed for compares nothing', async () => {
  const { next, did } = setUp({ matcher: { dbUpdatedAt: '1970-01-02T00:00:00Z' } });
  expect(await next(never)).toBe(true);
  expect(did).toEqual(['start', 'stop']);
});

it('after three failed starts all images are scanned, for ten minutes', async () => {
  const fault = unavailable('REMATCH_UNAVAILABLE', 'x');
  const { next, isAble, did, wait } = setUp({ starts: [fault, fault, fault] });
  expect([await next(never), await next(never), isAble()]).toEqual([false, false, true]);
  expect([await next(never), isAble(), await next(never)]).toEqual([false, false, false]);
  expect(did).toEqual([]);
  wait(600_000);
  expect([isAble(), await next(never)]).toEqual([true, true]);
  expect(did).toEqual(['start', 'a', 'b', 'stop']);
});

it('images none of whose packages changed are not compared', async () => {
  const { next, did, totals } = setUp({
    images: ['a', 'b', 'c'],
    matcher: {
      plan: async () => ({ from: 'then', isUnchanged: (digest) => digest !== 'b' }),
    },
  });
  await next(never);
  expect(did).toEqual(['start', 'b', 'confirm a,c', 'stop']);
  expect(totals).toEqual({ matched: 1, changed: 0, skipped: 2, failed: 0 });
});

it('a stopping worker releases its lease', async () => {
  const stopping = new AbortController();
  const { next, did } = setUp({
    async rematch() {
      stopping.abort();
      throw new Error('stopped');
    },
  });
  expect(await next(stopping.signal)).toBe(true);
  expect(did).toEqual(['start', 'stop']);
});
