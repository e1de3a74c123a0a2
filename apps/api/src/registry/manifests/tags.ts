/** Sorts and paginates `tags/list`: the local registry returns all tags at once, unsorted. */
import { notFound } from '@portcullis/errors';
import { isTag } from '@portcullis/oci';
import { linkTo, sizeOf } from '../page.ts';
import type { Query } from '../query.ts';

export interface TagPage {
  name: string;
  tags: string[];
}

const USUAL_PAGE = 1000;

/**
 * @param tags all tags of the repository; null if it is unknown
 * @throws not_found `NAME_UNKNOWN`
 */
export function pageOfTags(
  repository: string,
  tags: readonly string[] | null,
  query: Query,
): { page: TagPage; link: string | undefined } {
  if (tags === null) throw notFound('NAME_UNKNOWN', 'there is no such repository');
  const n = sizeOf(query, USUAL_PAGE);
  const last = query.get('last');
  const sorted = tags.filter(isTag).sort(inOrder);
  const rest = last === undefined ? sorted : sorted.filter((tag) => inOrder(tag, last) > 0);
  const shown = rest.slice(0, n);
  const end = shown.at(-1);
  const more = end !== undefined && rest.length > shown.length;
  const route = { kind: 'tags', repository } as const;
  return {
    page: { name: repository, tags: shown },
    link: more ? linkTo(route, { last: end, n: String(n) }) : undefined,
  };
}

/** Case-insensitive (distribution spec § Listing Tags), then by character for a total order. */
function inOrder(one: string, other: string): number {
  return byCharacter(one.toLowerCase(), other.toLowerCase()) || byCharacter(one, other);
}

function byCharacter(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
