import { expect, it } from 'vitest';
import { createTurns } from './in-turns.ts';

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Works by name, of the group that the first letter names; each ends when it is ended. */
function works(limit: number) {
  const inTurns = createTurns(limit);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    ask: (...names: string[]) => {
      for (const name of names)
        void inTurns(name[0] ?? '', signal, () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        });
    },
    async end(name: string) {
      ends.get(name)?.();
      await settled();
    },
  };
}

it('serves a group that asked once before the next work of one that asks for much', async () => {
  const { started, ask, end } = works(1);
  ask('a1', 'a2', 'a3', 'b1', 'c1');
  await settled();
  for (const name of ['a1', 'b1', 'c1', 'a2']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

it('serves groups that ask for much in turn', async () => {
  const { started, ask, end } = works(1);
  ask('a1', 'a2', 'b1', 'b2');
  await settled();
  for (const name of ['a1', 'b1', 'a2']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'a2', 'b2']);
});

it('runs one work of a group at a time, also where there is room', async () => {
  const { started, ask } = works(3);
  ask('a1', 'a2', 'b1');
  await settled();
  expect(started).toEqual(['a1', 'b1']);
});
