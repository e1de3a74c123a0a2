import { beforeEach, expect, it } from 'vitest';
import { type AccessCache, createAccessCache } from './access-cache.ts';
import type { ChangeKind } from './changes.ts';

let live = true;
let change: (kind: ChangeKind) => void = () => {};
let cache: AccessCache;
let lookups: string[];
let now = 1;

beforeEach(() => {
  live = true;
  lookups = [];
  now = 1;
  cache = createAccessCache(
    (onChange) => {
      change = onChange;
      return { live: () => live, close: () => {} };
    },
    () => now,
  );
});

/** Answers on demand. */
function slow() {
  const waiting: (() => void)[] = [];
  const ask = cache.remembering(async (key) => {
    lookups.push(key);
    const answer = { key, nth: lookups.length };
    await new Promise<void>((resolve) => waiting.push(resolve));
    return answer;
  });
  return { ask, answer: (nth = 0) => waiting.splice(nth, 1)[0]?.() };
}

function quick() {
  return cache.remembering(async (key) => {
    lookups.push(key);
    return key === 'unknown' ? null : { key, nth: lookups.length };
  });
}

it('asks once for each key, and again after a minute', async () => {
  const ask = quick();
  await ask('a');
  expect(await ask('a')).toEqual({ key: 'a', nth: 1 });
  await ask('b');
  now += 60_001;
  await ask('a');
  expect(lookups).toEqual(['a', 'b', 'a']);
});

it('forgets everything at a change of rights, and nothing at a change of settings', async () => {
  const ask = quick();
  await ask('a');
  change('settings');
  await ask('a');
  expect(lookups).toEqual(['a']);
  change('access');
  expect(await ask('a')).toEqual({ key: 'a', nth: 2 });
});

it('does not cache an answer that was requested before a change and arrives after it', async () => {
  const { ask, answer } = slow();
  const first = ask('a');
  change('access');
  const second = ask('a');
  answer(1);
  expect(await second).toEqual({ key: 'a', nth: 2 });
  answer();
  expect(await first).toEqual({ key: 'a', nth: 1 });
  expect(await ask('a')).toEqual({ key: 'a', nth: 2 });
});

it('queries each time while changes may be missed, and caches nothing', async () => {
  const ask = quick();
  await ask('a');
  live = false;
  await ask('a');
  await ask('a');
  expect([lookups, ask.knows('a')]).toEqual([['a', 'a', 'a'], false]);
});

it('does not cache an answer that arrives while changes may be missed', async () => {
  const { ask, answer } = slow();
  const first = ask('a');
  live = false;
  answer();
  await first;
  live = true;
  expect(ask.knows('a')).toBe(false);
});

it('does not cache that an object does not exist', async () => {
  const ask = quick();
  expect([await ask('unknown'), await ask('unknown')]).toEqual([null, null]);
  expect(lookups).toHaveLength(2);
});

it('shares one query among concurrent requests, and does not cache a fault', async () => {
  const { ask, answer } = slow();
  const all = [ask('a'), ask('a'), ask('a')];
  answer();
  expect(await Promise.all(all)).toEqual(Array(3).fill({ key: 'a', nth: 1 }));
  const failing = cache.remembering(async () => {
    lookups.push('x');
    throw new Error('away');
  });
  await expect(failing('x')).rejects.toThrow('away');
  await expect(failing('x')).rejects.toThrow('away');
  expect(lookups).toEqual(['a', 'x', 'x']);
});
