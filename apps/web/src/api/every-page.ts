/** All items of a list, also those that no page of it has loaded. */
import type { AnswerPage } from './client.ts';

/** As many as a page may have. */
const LARGEST = 200;

interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export async function everyPage<T>(ask: (query: PageQuery) => Promise<AnswerPage<T[]>>) {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await ask({ limit: LARGEST, cursor });
    all.push(...items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return all;
}

interface NumberedPage<T> {
  items: readonly T[];
  total_pages: number;
}

/** The same of a list of numbered pages: what is added meanwhile moves others to the next page. */
export async function everyNumberedPage<T>(
  keyOf: (item: T) => string,
  ask: (query: { page: number; page_size: number }) => Promise<NumberedPage<T>>,
): Promise<T[]> {
  const all = new Map<string, T>();
  let pages = 1;
  for (let page = 1; page <= pages; page += 1) {
    const { items, total_pages } = await ask({ page, page_size: LARGEST });
    for (const each of items) all.set(keyOf(each), each);
    pages = total_pages;
  }
  return [...all.values()];
}
