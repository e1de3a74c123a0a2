import type { ChangeKind } from '@portcullis/events';
import { beforeEach, expect, it } from 'vitest';
import { type AccessCache, createAccessCache } from './access-cache.ts';

let live = true;
let change: (kind: ChangeKind) => void = () => {};
let cache: AccessCache;
let asked: string[];
let now = 1;

beforeEach(() => {
  live = true;
  asked = [];
  now = 1;
  cache = createAccessCache(
    (onChange) => {
      change = onChange;
      return { live: () => live, close: () => {} };
    },
    () => now,
  );
});

/** Answers when it is told to. */
function slow() {
  const waiting: (() => void)[] = [];
  const ask = cache.remembering(async (key) => {
    asked.push(key);
    const answer = { key, nth: asked.length };
    await new Promise<void>((resolve) => waiting.push(resolve));
    return answer;
  });
  return { ask, answer: (nth = 0) => waiting.splice(nth, 1)[0]?.() };
}

function quick() {
  return cache.remembering(async (key) => {
    asked.push(key);
    return key === 'nobody' ? null : { key, nth: asked.length };
  });
}

it('asks once for each key, and again after a minute', async () => {
  const ask = quick();
  await ask('a');
  expect(await ask('a')).toEqual({ key: 'a', nth: 1 });
  await ask('b');
  now += 60_001;
  await ask('a');
  expect(asked).toEqual(['a', 'b', 'a']);
});

it('forgets everything at a change of rights, and nothing at a change of settings', async () => {
  const ask = quick();
  await ask('a');
  change('settings');
  await ask('a');
  expect(asked).toEqual(['a']);
  change('access');
  expect(await ask('a')).toEqual({ key: 'a', nth: 2 });
});

it('does not keep what was asked before a change and answered after it', async () => {
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

it('asks each time while changes may be missed, and keeps nothing of it', async () => {
  const ask = quick();
  await ask('a');
  live = false;
  await ask('a');
  await ask('a');
  expect([asked, ask.knows('a')]).toEqual([['a', 'a', 'a'], false]);
});

it('does not keep an answer that comes while changes may be missed', async () => {
  const { ask, answer } = slow();
  const first = ask('a');
  live = false;
  answer();
  await first;
  live = true;
  expect(ask.knows('a')).toBe(false);
});

it('does not remember what isn’t there', async () => {
  const ask = quick();
  expect([await ask('nobody'), await ask('nobody')]).toEqual([null, null]);
  expect(asked).toHaveLength(2);
});

it('makes one question of many at once, and a fault of one is not remembered', async () => {
  const { ask, answer } = slow();
  const all = [ask('a'), ask('a'), ask('a')];
  answer();
  expect(await Promise.all(all)).toEqual(Array(3).fill({ key: 'a', nth: 1 }));
  const failing = cache.remembering(async () => {
    asked.push('x');
    throw new Error('away');
  });
  await expect(failing('x')).rejects.toThrow('away');
  await expect(failing('x')).rejects.toThrow('away');
  expect(asked).toEqual(['a', 'x', 'x']);
});
