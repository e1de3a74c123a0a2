import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from './throttle.ts';

const log = { warn() {} };
const EVERY_MS = 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (intervals: number) => vi.advanceTimersByTimeAsync(intervals * EVERY_MS);

it('runs once for all calls of an interval', async () => {
  let runs = 0;
  const throttled = throttle(EVERY_MS, log, async () => void runs++);
  for (let call = 0; call < 10; call++) throttled.call();
  expect(runs).toBe(0);
  await pass(3);
  await throttled.stop();
  expect(runs).toBe(1);
});

it('does not run for work that ended before the interval', async () => {
  let runs = 0;
  const throttled = throttle(EVERY_MS, log, async () => void runs++);
  throttled.call();
  await throttled.stop();
  await pass(2);
  expect(runs).toBe(0);
});

it('the last call is followed by a run', async () => {
  let value = 0;
  const seen: number[] = [];
  const throttled = throttle(EVERY_MS, log, async () => void seen.push(value));
  for (value = 1; value <= 3; value++) throttled.call();
  value = 9;
  throttled.call();
  await pass(3);
  await throttled.stop();
  expect(seen).toEqual([9]);
});

it('never runs twice at once, and stop waits for the current run', async () => {
  let [now, most] = [0, 0];
  const held = Promise.withResolvers<void>();
  const throttled = throttle(EVERY_MS, log, async () => {
    most = Math.max(most, ++now);
    await held.promise;
    now--;
  });
  for (let call = 0; call < 5; call++) {
    throttled.call();
    await pass(2);
  }
  const stopped = throttled.stop();
  expect([now, most]).toEqual([1, 1]);
  held.resolve();
  await stopped;
  expect([now, most]).toEqual([0, 1]);
});

it('a run that fails is logged and followed by the next', async () => {
  const warnings: unknown[] = [];
  const warn = (facts: unknown) => void warnings.push(facts);
  const throttled = throttle(EVERY_MS, { warn }, async () => {
    throw new Error('no database');
  });
  throttled.call();
  await pass(1);
  throttled.call();
  await pass(1);
  await throttled.stop();
  expect(warnings).toHaveLength(2);
});
