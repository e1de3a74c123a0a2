import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { singleFlight } from './single-flight.ts';

const reuseMs = 400;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('callers of the same key share one read; other keys are read separately', async () => {
  const read = vi.fn(async (key: string) => `${key}!`);
  const ask = singleFlight(read);
  expect(await Promise.all([ask('one'), ask('one'), ask('two')])).toEqual(['one!', 'one!', 'two!']);
  expect(read).toHaveBeenCalledTimes(2);
});

it('a result is read again unless it may be reused', async () => {
  let stored = 'before';
  const ask = singleFlight(async () => stored);
  await ask('it');
  stored = 'after';
  expect(await ask('it')).toBe('after');
});

it('a result is reused for the given time and then read again', async () => {
  let stored = 'before';
  const ask = singleFlight(async () => stored, { reuseMs });
  await ask('it');
  stored = 'after';
  expect(await ask('it')).toBe('before');
  vi.advanceTimersByTime(reuseMs);
  expect(await ask('it')).toBe('after');
});

it('a failure is not reused', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue('up');
  const ask = singleFlight(read, { reuseMs });
  await expect(ask('it')).rejects.toThrow('down');
  expect(await ask('it')).toBe('up');
});
