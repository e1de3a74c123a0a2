import { expect, it } from 'vitest';
import { atMost } from './at-most.ts';

it('no more than the limit run at once, in the order of the calls, also after failures', async () => {
  const listing = atMost(2);
  const began: number[] = [];
  let running = 0;
  let most = 0;
  const work = (nth: number) => async () => {
    began.push(nth);
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (nth % 3 === 0) throw new Error(`${nth}`);
    return nth;
  };
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  const results = await Promise.allSettled(numbers.map((nth) => listing(work(nth))));
  expect(most).toBe(2);
  expect(began).toEqual(numbers);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(
    numbers.map((n) => n % 3 !== 0),
  );
});
