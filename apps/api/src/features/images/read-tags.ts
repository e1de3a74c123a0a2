/** Reads tag names from a registry page by page; with a filter, until enough are found. */
import { notFound } from '@portcullis/errors';
import type { ListPage } from '@portcullis/oci/remote';
import { noRepository, type OpenedRepository } from './repositories.ts';

export interface TagQuery {
  /** A part of the tag in upper or lower case. */
  q: string | undefined;
  limit: number;
  cursor: string | undefined;
}

/** Limits the details that we request from a registry that ignores the page size. */
const MOST_TAGS = 1000;
/** Pages that a filter reads per request; larger repositories need several requests. */
const MOST_PAGES = 20;

/** @throws not_found `CURSOR_UNKNOWN`, and what the registry answers */
export async function readTags(
  opened: OpenedRepository,
  { q, limit, cursor }: TagQuery,
  signal: AbortSignal,
): Promise<ListPage> {
  // A cursor is a path of the registry: only one of this list is followed.
  if (cursor !== undefined && !cursor.startsWith(`/v2/${opened.name}/tags/list?`))
    throw notFound('CURSOR_UNKNOWN', 'The cursor is not one that this list gave.');
  const read = (from: string | undefined) =>
    opened.ask(noRepository(opened.name), (repository) =>
      repository.tags({ limit, cursor: from, signal }),
    );
  const first = matching(await read(cursor), q);
  return q === undefined ? first : readOn(first, { read, q, limit });
}

interface Reading {
  read(cursor: string): Promise<ListPage>;
  q: string;
  limit: number;
}

/**
 * A page that would exceed the limit is left for the next request: cursors of a registry point to
 * whole pages.
 */
async function readOn(first: ListPage, { read, q, limit }: Reading): Promise<ListPage> {
  let { items, next } = first;
  for (let pages = 1; next !== undefined && pages < MOST_PAGES && items.length < limit; pages++) {
    const page = matching(await read(next), q);
    if (items.length > 0 && items.length + page.items.length > limit) break;
    items = [...items, ...page.items];
    next = page.next;
  }
  return { items, next };
}

function matching(page: ListPage, q: string | undefined): ListPage {
  const wanted = q?.toLowerCase();
  const items =
    wanted === undefined
      ? page.items
      : page.items.filter((tag) => tag.toLowerCase().includes(wanted));
  return { items: items.slice(0, MOST_TAGS), next: page.next };
}
