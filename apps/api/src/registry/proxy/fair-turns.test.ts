import { expect, it } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

/** Works that go on until they are ended. */
function started(atOnce: number) {
  const turns = createFairTurns(atOnce);
  const began: string[] = [];
  const ends = new Map<string, (outcome: 'done' | 'failed') => void>();
  const results: Promise<string>[] = [];

  function begin(account: string, name: string): void {
    const result = turns(account, () => {
      began.push(name);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      ends.set(name, (outcome) => (outcome === 'done' ? resolve(name) : reject(new Error(name))));
      return promise;
    });
    results.push(result.catch((error: Error) => `failed ${error.message}`));
  }

  async function end(name: string, outcome: 'done' | 'failed' = 'done'): Promise<void> {
    ends.get(name)?.(outcome);
    for (let ticks = 0; ticks < 10; ticks++) await null;
  }
  return { begin, end, began, results };
}

const settled = async () => {
  for (let ticks = 0; ticks < 10; ticks++) await null;
};

it('no more than the limit run at once, and an account alone has all places but one', async () => {
  const { begin, end, began } = started(3);
  for (const name of ['a1', 'a2', 'a3', 'a4']) begin('ann', name);
  await settled();
  expect(began).toEqual(['a1', 'a2']);
  await end('a1');
  expect(began).toEqual(['a1', 'a2', 'a3']);
});

it('another account begins at once, however many works of the first one wait', async () => {
  const { begin, began } = started(3);
  for (let nth = 0; nth < 50; nth++) begin('ann', `a${nth}`);
  begin('bob', 'b0');
  await settled();
  expect(began).toEqual(['a0', 'a1', 'b0']);
});

it('accounts take turns, also after failures', async () => {
  const { begin, end, began, results } = started(2);
  for (const name of ['a1', 'a2', 'a3']) begin('ann', name);
  for (const name of ['b1', 'b2']) begin('bob', name);
  begin('cid', 'c1');
  await settled();
  expect(began).toEqual(['a1', 'b1']);
  await end('a1', 'failed');
  await end('b1');
  await end('a2');
  await end('b2', 'failed');
  await end('c1');
  await end('a3');
  expect(began).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3']);
  expect(await Promise.all(results)).toEqual(['failed a1', 'a2', 'a3', 'b1', 'failed b2', 'c1']);
});
