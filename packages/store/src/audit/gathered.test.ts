import { expect, it } from 'vitest';
import { gather } from './gathered.ts';

/** A write that fails for a batch with `bad`, and notes each batch. */
function recorder() {
  const batches: string[][] = [];
  const put = gather(async (items: readonly string[]) => {
    batches.push([...items]);
    await Promise.resolve();
    if (items.includes('bad')) throw new Error(`refused ${items.join()}`);
    return items.map((item) => item.toUpperCase());
  });
  return { batches, put };
}

it('what is asked for during a write is written together, and each caller has its own result', async () => {
  const { batches, put } = recorder();
  expect(await Promise.all(['a', 'b', 'c'].map(put))).toEqual(['A', 'B', 'C']);
  expect(await put('d')).toBe('D');
  expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
});

it('an item that cannot be written fails alone', async () => {
  const { batches, put } = recorder();
  const results = await Promise.allSettled(['a', 'b', 'bad', 'c'].map(put));
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(batches).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
});
