/** Loads all pages of a list, for the matrix and for selections. */
import type { Folder, Group, Robot } from '@portcullis/contract';
import { queryOptions } from '@tanstack/react-query';
import { page } from '../../api/api.ts';
import type { AnswerPage } from '../../api/client.ts';

const LARGEST = 200;

type Query = { limit: number; cursor?: string | undefined };

async function gather<T>(ask: (query: Query) => Promise<AnswerPage<T[]>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await ask({ limit: LARGEST, cursor });
    all.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return all;
}

export const allGroups = queryOptions<Group[]>({
  queryKey: ['groups.listGroups', 'every'],
  queryFn: () => gather((query) => page('groups.listGroups', { query })),
});

export const allRobots = queryOptions<Robot[]>({
  queryKey: ['robots.list', 'every'],
  queryFn: () => gather((query) => page('robots.list', { query })),
});

export const allFolders = queryOptions<Folder[]>({
  queryKey: ['folders.listFolders', 'every'],
  queryFn: () => gather((query) => page('folders.listFolders', { query })),
});
