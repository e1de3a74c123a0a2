/**
 * Follows the pages of a list as long as it goes on. A link may lead back to an earlier page, and a
 * registry may send the same page whatever is asked for, or pages without a name, without an end.
 */
import { createHash } from 'node:crypto';
import { tooLarge } from '../oci-error.ts';
import {
  type ListPage,
  type ListPageOptions,
  type NameListing,
  readPage,
  tooLong,
} from './page.ts';

const MAX_PAGES = 10_000;
/** Limit for lists held in memory. */
const MAX_ITEMS = 500_000;
/** In a row: some registries leave out names of a page, and a page may then have none. */
const MAX_EMPTY = 100;

/**
 * The last page is the one without `next`. A repeated page ends the list, and is given without its
 * names.
 * @param from the page to begin with; the first one if not given
 * @throws too_large `REGISTRY_ANSWER_TOO_LARGE` for a list that does not end
 */
export async function* followPages(
  read: (cursor: string | undefined) => Promise<ListPage>,
  from?: string | undefined,
): AsyncGenerator<ListPage, void, undefined> {
  const seen = new Set<string>();
  let cursor = from;
  let empty = 0;
  for (let pages = 0; pages < MAX_PAGES && empty < MAX_EMPTY; pages++) {
    const { items, next } = await read(cursor);
    const mark = markOf(items);
    const isRepeated = items.length > 0 && seen.has(mark);
    seen.add(mark);
    const isLast = isRepeated || next === undefined || next === cursor;
    yield { items: isRepeated ? [] : items, next: isLast ? undefined : next };
    if (isLast) return;
    empty = items.length === 0 ? empty + 1 : 0;
    cursor = next;
  }
  throw tooLarge('REGISTRY_ANSWER_TOO_LARGE', 'the list of the registry does not end');
}

/** In place of the names, which may be many. */
function markOf(names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n`);
  return hash.digest('base64');
}

/** Reads all pages; a name that two of them have is listed once. */
export async function readAll(listing: NameListing, options: ListPageOptions): Promise<string[]> {
  const names = new Set<string>();
  const read = (cursor: string | undefined) => readPage(listing, { ...options, cursor });
  for await (const { items } of followPages(read, options.cursor)) {
    for (const item of items) names.add(item);
    if (names.size > MAX_ITEMS) throw tooLong(listing.what, MAX_ITEMS);
  }
  return [...names];
}
