/** `_catalog`, filtered to what the caller may pull before it is cut into pages: a page tells nothing of the rest. */
import { invalid } from '@portcullis/errors';
import { isRepository } from '@portcullis/oci';
import { linkTo, sizeOf } from './page.ts';
import type { Query } from './query.ts';

export interface CatalogPage {
  repositories: string[];
  /** RFC 8288, when there is more. */
  link: string | undefined;
}

/** Repositories after `last`, in the registry's order; a page that isn't full is the last. */
export type ReadCatalog = (last: string | undefined, n: number) => Promise<string[]>;

const USUAL_PAGE = 100;
const UPSTREAM_PAGE = 1000;

export async function listCatalog(
  query: Query,
  read: ReadCatalog,
  mayPull: (repository: string) => boolean,
): Promise<CatalogPage> {
  const n = sizeOf(query, USUAL_PAGE);
  const start = lastOf(query);
  const found: string[] = [];
  if (n === 0) return { repositories: found, link: undefined };
  for await (const repository of allAfter(start, read)) {
    if (mayPull(repository)) found.push(repository);
    if (found.length > n) break; // one more than asked for: there is a next page
  }
  const repositories = found.slice(0, n);
  const last = repositories.at(-1);
  const more = last !== undefined && found.length > n;
  return { repositories, link: more ? linkTo({ kind: 'catalog' }, { last, n: String(n) }) : undefined };
}

function lastOf(query: Query): string | undefined {
  const last = query.get('last');
  if (last !== undefined && !isRepository(last)) throw invalid('NAME_INVALID', '`last` is a repository');
  return last;
}

async function* allAfter(start: string | undefined, read: ReadCatalog): AsyncGenerator<string> {
  for (let last = start; ; ) {
    const page = await read(last, UPSTREAM_PAGE);
    yield* page;
    const next = page.at(-1);
    if (next === undefined || next === last || page.length < UPSTREAM_PAGE) return;
    last = next;
  }
}
