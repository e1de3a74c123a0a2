import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { briefly, MOMENT_MS } from './briefly.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('many who ask at once share one answer, each key has its own', async () => {
  const read = vi.fn(async (key: string) => `${key}!`);
  const ask = briefly(read, 0);
  expect(await Promise.all([ask('one'), ask('one'), ask('two')])).toEqual(['one!', 'one!', 'two!']);
  expect(read).toHaveBeenCalledTimes(2);
});

it('without a moment of its own, an answer is for those alone who waited for it', async () => {
  let stored = 'before';
  const ask = briefly(async () => stored, 0);
  await ask('it');
  stored = 'after';
  expect(await ask('it')).toBe('after');
});

it('a moment later, within a second, a change is seen', async () => {
  let stored = 'before';
  const ask = briefly(async () => stored, MOMENT_MS);
  await ask('it');
  stored = 'after';
  expect(await ask('it')).toBe('before');
  vi.advanceTimersByTime(999);
  expect(await ask('it')).toBe('after');
});

it('a failure is nothing to remember', async () => {
  const read = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue('there');
  const ask = briefly(read, MOMENT_MS);
  await expect(ask('it')).rejects.toThrow('away');
  expect(await ask('it')).toBe('there');
});
