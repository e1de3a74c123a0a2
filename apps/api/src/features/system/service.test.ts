import { expect, it } from 'vitest';
import { createSystemService } from './service.ts';

it('whoever asks whether we are ready, and however often, no dependency is asked twice in a second', async () => {
  let now = 0;
  let asked = 0;
  let down = false;
  const check = async () => {
    asked += 1;
    if (down) throw new Error('away');
    return null;
  };
  const { ready } = createSystemService({
    checks: { database: check, redis: check, registry: check, scanner: check, disk: check },
    scanner: async () => ({ enabled: false, available: false, version: null, db: null, javaDownload: null }),
    policy: async () => Promise.reject(new Error('not asked')),
    version: '1',
    commit: null,
    latest: async () => null,
    now: () => now,
  });
  const answers = await Promise.all(Array.from({ length: 50 }, ready));
  expect(answers.every((answer) => answer.ready)).toBe(true);
  down = true;
  now = 999;
  expect((await ready()).ready).toBe(true);
  expect(asked).toBe(5);
  now = 1_000;
  expect((await ready()).ready).toBe(false);
  expect(asked).toBe(10);
});
