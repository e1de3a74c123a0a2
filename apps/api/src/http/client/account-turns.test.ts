import { expect, it } from 'vitest';
import { type AccountTurns, createAccountTurns } from './account-turns.ts';

const LIMITS = { atOnce: 2, waiting: 3 };

/** Requests by name, which end when they are ended. */
function requests(turns: AccountTurns) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    begin(account: string, name: string, signal = new AbortController().signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return turns(account, signal, () => {
        started.push(name);
        return promise;
      });
    },
    end(name: string) {
      ends.get(name)?.();
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('runs a few requests of an account, and the next when one ends', async () => {
  const { started, begin, end } = requests(createAccountTurns(LIMITS));
  for (const name of ['a', 'b', 'c', 'd']) void begin('ann', name);
  await end('none');
  expect(started).toEqual(['a', 'b']);
  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);
  await end('a');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

it('refuses more than may wait, and none of another account', async () => {
  const { started, begin, end } = requests(createAccountTurns(LIMITS));
  for (const name of ['a', 'b', 'c', 'd', 'e']) void begin('ann', name);
  await expect(begin('ann', 'f')).rejects.toMatchObject({
    kind: 'rate_limited',
    code: 'COSTLY_REQUESTS_MANY',
    retryAfter: 5,
  });
  void begin('bob', 'g');
  await end('none');
  expect(started).toEqual(['a', 'b', 'g']);
});

it('gives the place of a client that left to the next one', async () => {
  const { started, begin, end } = requests(createAccountTurns(LIMITS));
  const left = new AbortController();
  for (const name of ['a', 'b']) void begin('ann', name);
  const waiting = begin('ann', 'c', left.signal);
  void begin('ann', 'd');
  left.abort(new Error('the client left'));
  await expect(waiting).rejects.toThrow('the client left');
  await end('a');
  expect(started).toEqual(['a', 'b', 'd']);
});

it('runs nothing for a client that left before', async () => {
  const { started, begin } = requests(createAccountTurns(LIMITS));
  await expect(begin('ann', 'a', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  expect(started).toEqual([]);
});

it('gives the place of a request that failed to the next one', async () => {
  const turns = createAccountTurns({ atOnce: 1, waiting: 1 });
  const { signal } = new AbortController();
  const failed = turns('ann', signal, () => Promise.reject(new Error('broken')));
  const next = turns('ann', signal, async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
