import { unavailable } from '@portcullis/errors';
import { createLogger } from '@portcullis/runtime';
import type { Rescan, ScanData } from '@portcullis/store';
import { expect, it } from 'vitest';
import { type RescansPorts, rescanner } from './rescans.ts';

const DATA: ScanData = { dbUpdatedAt: new Date(0), javaSince: null };
const never = new AbortController().signal;

function setUp(change: Partial<RescansPorts> & { left?: number } = {}) {
  let { left = 1 } = change;
  const did: string[] = [];
  const note = (what: string) => async (rescan: Rescan) =>
    void did.push(`${what} ${rescan.digest}`);
  const next = rescanner({
    rescans: {
      async claim() {
        did.push('claim');
        left -= 1;
        return left < 0 ? null : { digest: `d${left}`, repository: 'r', attempts: 1 };
      },
      renew: async () => true,
      finish: note('finish'),
      fail: async ({ digest }, { code }, isTransient) =>
        void did.push(`fail ${digest} ${code} ${isTransient}`),
      release: note('release'),
    },
    scanData: async () => DATA,
    rematched: async () => null,
    scan: note('scan'),
    searchFactor: 1,
    now: () => 0,
    log: createLogger({ name: 'test', level: 'silent' }),
    ...change,
  });
  return { next, did };
}

it('S4d: images are scanned one after the other until none is left; then it pauses', async () => {
  const { next, did } = setUp({ left: 2 });
  expect([await next(never), await next(never), await next(never), await next(never)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(did).toEqual(['claim', 'scan d1', 'finish d1', 'claim', 'scan d0', 'finish d0', 'claim']);
});

it('nothing is claimed without a scanner and a database', async () => {
  const { next, did } = setUp({ scanData: async () => null });
  expect(await next(never)).toBe(false);
  expect(did).toEqual([]);
});

it.each<[string, Error, string]>([
  ['that is transient', unavailable('SCAN_TIMEOUT', 'x'), 'fail d0 SCAN_TIMEOUT true'],
  ['that is internal', new Error('x'), 'fail d0 INTERNAL false'],
])('a failure %s is recorded', async (_, error, noted) => {
  const { next, did } = setUp({ scan: () => Promise.reject(error) });
  expect(await next(never)).toBe(true);
  expect(did).toEqual(['claim', noted]);
});

it('a stopping worker releases its claim', async () => {
  const stopping = new AbortController();
  const { next, did } = setUp({
    async scan() {
      stopping.abort();
      throw new Error('stopped');
    },
  });
  await next(stopping.signal);
  expect(did).toEqual(['claim', 'release d0']);
});
