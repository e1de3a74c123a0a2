/** Loads all pages of a list, for the matrix and for selections. */
import type { Folder, Group, Robot } from '@portcullis/contract';
import { queryOptions } from '@tanstack/react-query';
import { page } from '../../api/api.ts';
import { everyPage } from '../../api/every-page.ts';

export const allGroups = queryOptions<Group[]>({
  queryKey: ['groups.listGroups', 'every'],
  queryFn: () => everyPage((query) => page('groups.listGroups', { query })),
});

export const allRobots = queryOptions<Robot[]>({
  queryKey: ['robots.list', 'every'],
  queryFn: () => everyPage((query) => page('robots.list', { query })),
});

export const allFolders = queryOptions<Folder[]>({
  queryKey: ['folders.listFolders', 'every'],
  queryFn: () => everyPage((query) => page('folders.listFolders', { query })),
});
