import { expect, it } from 'vitest';
import { createSystemService, isDegraded } from './service.ts';

it('each dependency is checked at most once a second, however often its health is requested', async () => {
  let now = 0;
  let checkCount = 0;
  let down = false;
  const check = async () => {
    checkCount += 1;
    if (down) throw new Error('away');
    return null;
  };
  const { dependencies } = createSystemService({
    checks: {
      database: check,
      redis: check,
      registry: check,
      scanner: check,
      disk: check,
      workers: check,
    },
    scanner: async () => ({
      enabled: false,
      available: false,
      version: null,
      db: null,
      failure: null,
      javaDownload: null,
    }),
    policy: async () => Promise.reject(new Error('not asked')),
    version: '1',
    commit: null,
    sampleData: false,
    stopping: () => false,
    latest: async () => null,
    now: () => now,
  });
  const answers = await Promise.all(Array.from({ length: 50 }, dependencies));
  expect(answers.some(isDegraded)).toBe(false);
  down = true;
  now = 999;
  expect(isDegraded(await dependencies())).toBe(false);
  expect(checkCount).toBe(6);
  now = 1_000;
  expect(isDegraded(await dependencies())).toBe(true);
  expect(checkCount).toBe(12);
});

it.each([
  ['database', true],
  ['redis', true],
  ['registry', true],
  ['scanner', false],
  ['disk', true],
  ['workers', true],
] as const)('without %s the installation is degraded: %s', (away, degraded) => {
  const up = { ok: true, code: null, message: null, latencyMs: 1 };
  const health = { database: up, redis: up, registry: up, scanner: up, disk: up, workers: up };
  expect(isDegraded({ ...health, [away]: { ...up, ok: false } })).toBe(degraded);
});
