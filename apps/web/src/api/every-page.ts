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
