import { once } from 'node:events';
import type { TransferEntry } from '@portcullis/domain';
import type { SelectionStep } from '@portcullis/store';
import { expect, it } from 'vitest';
import { type ExpandPorts, expandTransfer } from './expand-transfer.ts';

const TAGS = Array.from({ length: 10_000 }, (_, n) => `t${n}`);

function entryOf(glob: string): TransferEntry {
  return { image: 'a', repository: 'b', tags: { match: { glob }, newest: null }, targetTag: null };
}

/** A transfer with so many patterns that match ten thousand tags each. */
function stand(patterns: number) {
  const made = Array.from({ length: patterns }, () => 0);
  const failed: string[] = [];
  const entry = entryOf('*');
  const positions = [...made.keys()];
  const ports = {
    transfers: {
      find: async () => ({
        selections: positions.map((position) => ({ position, jobsMade: made[position] })),
      }),
      order: async () => ({
        ownerId: 'u',
        order: { entries: positions.map(() => entry), source: {}, destination: {} },
      }),
      queued: async () =>
        positions.map((position) => ({ position, cursor: null, attempts: 0, jobsMade: 0 })),
      async step({ position, jobs }: SelectionStep) {
        made[position] = (made[position] ?? 0) + jobs.length;
        return [];
      },
      selectionFailed: async (_: unknown, { code }: { code: string }) => void failed.push(code),
    },
    users: { get: async () => ({ id: 'u', username: 'u' }) },
    source: async () => ({
      tags: async (_: { signal: AbortSignal }) => ({
        items: TAGS,
        next: undefined as string | undefined,
      }),
    }),
    dispatch: async () => {},
    log: { info: () => {}, warn: () => {} },
    tries: 3,
  };
  const run = () =>
    expandTransfer('t', ports as unknown as ExpandPorts, new AbortController().signal);
  return { run, ports, failed, total: () => made.reduce((sum, count) => sum + count, 0) };
}

it('the patterns of one transfer create at most the allowed number of jobs together', async () => {
  const { run, failed, total } = stand(7);
  await run();
  expect([total(), failed]).toEqual([50_000, ['TOO_MANY_TAGS', 'TOO_MANY_TAGS']]);
});

it('a registry with endless pages does not block others: the run ends, and continues later', async () => {
  let pages = 0;
  const tags = async ({ signal }: { signal: AbortSignal }) => {
    pages += 1;
    // The time ends amid the pages, however fast this machine reads them.
    if (pages > 100) await once(signal, 'abort');
    return { items: [`other-${pages}`], next: `/v2/a/tags/list?last=${pages}` };
  };
  const { ports, failed } = stand(1);
  ports.transfers.order = async () => ({
    ownerId: 'u',
    order: { entries: [entryOf('none-*')], source: {}, destination: {} },
  });
  ports.source = async () => ({ tags });
  await expandTransfer('t', ports as unknown as ExpandPorts, new AbortController().signal, 500);
  expect([failed, pages > 1]).toEqual([['REGISTRY_TIMEOUT'], true]);
});

it.each([
  ['the next page again, whatever it is asked for', ['t1', 't2'], ['t1', 't2']],
  ['a page that overlaps with the one before', ['t1', 't2'], ['t2', 't3']],
])('a registry that sends %s makes one job of each tag', async (_, ...pages) => {
  const { ports, failed } = stand(1);
  const made: string[] = [];
  const ends: (string | null)[] = [];
  ports.transfers.step = async ({ jobs, next }: SelectionStep) => {
    made.push(...jobs.map(({ tag }) => tag));
    ends.push(next);
    return [];
  };
  let read = 0;
  ports.source = async () => ({
    async tags() {
      const items = pages[Math.min(read, pages.length - 1)] ?? [];
      read += 1;
      return { items, next: `/v2/a/tags/list?read=${read}` };
    },
  });
  await expandTransfer('t', ports as unknown as ExpandPorts, new AbortController().signal);
  expect([failed, made]).toEqual([[], [...new Set(pages.flat())]]);
  expect(ends.at(-1)).toBeNull();
});
