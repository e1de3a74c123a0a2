import { unavailable } from '@portcullis/errors';
import type { Task } from '@portcullis/queue';
import { expect, it } from 'vitest';
import { type ReconcilePorts, reconcileImages } from './reconcile-images.ts';

const PAGES = [['a', 'b'], ['c'], ['d']];

function stand(overrides: Partial<ReconcilePorts> = {}) {
  const done: string[] = [];
  const next: Task[] = [];
  const unlisted = [['gone'], []];
  const ports: ReconcilePorts = {
    async catalog({ cursor = '0' }) {
      const page = Number(cursor);
      return {
        items: PAGES[page] ?? [],
        next: page + 1 < PAGES.length ? String(page + 1) : undefined,
      };
    },
    keeper: { reconcile: async (name) => void done.push(name) },
    images: { seen: async () => {}, unseenSince: async () => unlisted.shift() ?? [] },
    enqueue: async (task) => void next.push(task),
    now: () => 1000,
    signal: new AbortController().signal,
    log: { info: () => {}, warn: () => {} },
    ...overrides,
  };
  return { ports, done, next };
}

it('a walk reads one page per task, and checks what was not listed at its end', async () => {
  const { ports, done, next } = stand();
  await reconcileImages(undefined, ports);
  expect([done, next]).toEqual([
    ['a', 'b'],
    [{ name: 'reconcile-images', walk: { cursor: '1', page: 1, startedAt: 1000 } }],
  ]);
  await reconcileImages({ cursor: '1', page: 1, startedAt: 1000 }, ports);
  await reconcileImages({ cursor: '2', page: 2, startedAt: 1000 }, ports);
  expect(done).toEqual(['a', 'b', 'c', 'd', 'gone']);
  expect(next.length).toBe(2);
});

it('a walk that a worker with a later clock began reads each repository once, and ends', async () => {
  const { ports, done } = stand({ now: () => 400 });
  const seen = new Map(['gone', 'd'].map((name) => [name, 0]));
  ports.images = {
    seen: async (names, at) => names.forEach((name) => void seen.set(name, at.getTime())),
    async unseenSince(at) {
      if (done.length > 4) throw new Error('endless');
      return [...seen.keys()].filter((name) => (seen.get(name) ?? 0) < at.getTime());
    },
  };
  await reconcileImages({ cursor: '2', page: 2, startedAt: 1000 }, ports);
  expect(done).toEqual(['d', 'gone']);
});

it('a repository that cannot be read does not end the walk for the others', async () => {
  const { ports, done, next } = stand();
  const { reconcile } = ports.keeper;
  ports.keeper.reconcile = (name) =>
    name === 'a' ? Promise.reject(new Error('odd')) : reconcile(name);
  await reconcileImages(undefined, ports);
  expect([done, next.length]).toEqual([['b'], 1]);
});

it('an unreachable registry or database ends the walk', async () => {
  const { ports, next } = stand({
    keeper: { reconcile: () => Promise.reject(unavailable('AWAY', 'away')) },
  });
  await expect(reconcileImages(undefined, ports)).rejects.toMatchObject({ code: 'AWAY' });
  expect(next).toEqual([]);
});

it('an unreachable registry ends the walk before anything is removed from the index', async () => {
  const { ports, done, next } = stand({ catalog: () => Promise.reject(new Error('down')) });
  await expect(reconcileImages({ cursor: '2', page: 2, startedAt: 1000 }, ports)).rejects.toThrow(
    'down',
  );
  expect([done, next]).toEqual([[], []]);
});

it('a registry whose pages link to themselves does not cause an endless walk', async () => {
  const { ports, next } = stand({ catalog: async () => ({ items: [], next: '2' }) });
  await reconcileImages({ cursor: '2', page: 2, startedAt: 1000 }, ports);
  expect(next).toEqual([]);
});
