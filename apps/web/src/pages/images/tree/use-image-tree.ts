/** Loads each expanded level of the tree, page by page. */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, keyOf } from '../../../api/api.ts';
import { type KnownLevel, rowsOf, TOP, type TreeRow } from './tree-rows.ts';

const PAGE_SIZE = 100;

export interface ImageTreeView {
  rows: TreeRow[];
  /** The top level: folders. */
  top: KnownLevel;
  /** Loads the next page of a level. */
  more(path: string): void;
  retry(): void;
}

function pageOf(path: string, page: number) {
  const params = { registry_id: LOCAL_REGISTRY_ID };
  return ask('images.listImageTree', {
    params,
    query: { path: path || undefined, page, page_size: PAGE_SIZE },
  });
}

export function useImageTree(open: readonly string[]): ImageTreeView {
  const queries = useQueryClient();
  const [pages, setPages] = useState<Readonly<Record<string, number>>>({});
  const requests = [TOP, ...open].flatMap((path) =>
    Array.from({ length: pages[path] ?? 1 }, (_, index) => ({ path, page: index + 1 })),
  );
  const answers = useQueries({ queries: requests.map(({ path, page }) => pageOf(path, page)) });
  const levels = new Map<string, KnownLevel>();
  for (const [index, { path }] of requests.entries()) {
    const { data, error = null } = answers[index] ?? {};
    const before = levels.get(path) ?? { items: [], total: undefined, error: null };
    levels.set(path, {
      items: [...before.items, ...(data?.items ?? [])],
      total: data?.total ?? before.total,
      error: before.error ?? (data ? null : error),
    });
  }
  const known = (path: string) => levels.get(path)?.items.length ?? 0;
  return {
    rows: rowsOf(levels, new Set(open)),
    top: levels.get(TOP) ?? { items: [], total: undefined, error: null },
    more: (path) =>
      setPages((before) => ({ ...before, [path]: Math.floor(known(path) / PAGE_SIZE) + 1 })),
    retry: () => void queries.refetchQueries({ queryKey: keyOf('images.listImageTree') }),
  };
}
