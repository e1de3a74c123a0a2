/** `_catalog` from the image index, restricted to what the caller may pull. */
import { foldersWith, type Principal } from '@portcullis/domain';
import { invalid } from '@portcullis/errors';
import { isRepository } from '@portcullis/oci';
import type { Store } from '@portcullis/store';
import { linkTo, sizeOf } from '../page.ts';
import type { Query } from '../query.ts';

export interface CatalogPage {
  repositories: string[];
  /** RFC 8288; set if there is another page. */
  link: string | undefined;
}

const USUAL_PAGE = 100;

export async function listCatalog(
  query: Query,
  { isAdmin, grants }: Principal,
  images: Pick<Store['images'], 'names'>,
): Promise<CatalogPage> {
  const n = sizeOf(query, USUAL_PAGE);
  const after = lastOf(query);
  if (n === 0) return { repositories: [], link: undefined };
  const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
  // One more than requested, which shows whether there is another page.
  const found = await images.names({ folders, after, limit: n + 1 });
  const repositories = found.slice(0, n);
  const last = repositories.at(-1);
  const more = last !== undefined && found.length > n;
  return {
    repositories,
    link: more ? linkTo({ kind: 'catalog' }, { last, n: String(n) }) : undefined,
  };
}

function lastOf(query: Query): string | undefined {
  const last = query.get('last');
  if (last !== undefined && !isRepository(last))
    throw invalid('NAME_INVALID', '`last` is a repository');
  return last;
}
