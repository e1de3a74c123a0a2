import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { throttle } from './throttle.ts';

const log = { warn() {} };

it('runs once for all calls of an interval', async () => {
  let runs = 0;
  const throttled = throttle(20, log, async () => void runs++);
  for (let call = 0; call < 10; call++) throttled.call();
  expect(runs).toBe(0);
  await sleep(60);
  await throttled.stop();
  expect(runs).toBe(1);
});

it('does not run for work that ended before the interval', async () => {
  let runs = 0;
  const throttled = throttle(10, log, async () => void runs++);
  throttled.call();
  await throttled.stop();
  await sleep(20);
  expect(runs).toBe(0);
});

it('the last call is followed by a run', async () => {
  let value = 0;
  const seen: number[] = [];
  const throttled = throttle(10, log, async () => void seen.push(value));
  for (value = 1; value <= 3; value++) throttled.call();
  value = 9;
  throttled.call();
  await sleep(40);
  await throttled.stop();
  expect(seen).toEqual([9]);
});

it('never runs twice at once, and stop waits for the current run', async () => {
  let [now, most] = [0, 0];
  const throttled = throttle(1, log, async () => {
    most = Math.max(most, ++now);
    await sleep(15);
    now--;
  });
  for (let call = 0; call < 5; call++) {
    throttled.call();
    await sleep(4);
  }
  await throttled.stop();
  expect([now, most]).toEqual([0, 1]);
});

it('a run that fails is logged and followed by the next', async () => {
  const warnings: unknown[] = [];
  const throttled = throttle(
    1,
    { warn: (facts: unknown) => void warnings.push(facts) },
    async () => {
      throw new Error('no database');
    },
  );
  throttled.call();
  await sleep(20);
  throttled.call();
  await sleep(20);
  await throttled.stop();
  expect(warnings).toHaveLength(2);
});
