import { expect, it, vi } from 'vitest';
import { eventually } from './eventually.ts';

it('returns the first value that holds, and reads no more', async () => {
  const read = vi.fn(() => read.mock.calls.length);
  expect(await eventually(read, (count) => count === 3)).toBe(3);
  expect(read).toHaveBeenCalledTimes(3);
});

it('passes on what reading throws', async () => {
  const read = () => Promise.reject(new Error('it is gone'));
  await expect(eventually(read)).rejects.toThrow('it is gone');
});
