/**
 * Pages of `tags/list`. The image index has them in order; a registry returns all tags at once,
 * unsorted.
 */
import { notFound } from '@portcullis/errors';
import { inSlices, isTag, type Steps } from '@portcullis/oci';
import type { Store } from '@portcullis/store';
import { linkTo, sizeOf } from '../page.ts';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';
import type { Query } from '../query.ts';

export interface TagPorts {
  images: Pick<Store['images'], 'tagPage'>;
  registry: Pick<LocalRegistryClient, 'tags'>;
}

export interface TagPage {
  name: string;
  tags: string[];
}

export interface TagsRequest {
  repository: string;
  /** The id of the account that asks. */
  account: string;
  query: Query;
  /** Of a mirror: tags that its upstream has; null in other folders. */
  upstream?: readonly string[] | null;
}

const USUAL_PAGE = 1000;

/** @throws not_found `NAME_UNKNOWN`; too_large `SIZE_INVALID`; unavailable */
export async function listTags(
  { images, registry }: TagPorts,
  { repository, account, query, upstream = null }: TagsRequest,
): Promise<{ page: TagPage; link: string | undefined }> {
  const n = sizeOf(query, USUAL_PAGE);
  const last = query.get('last');
  // One more than requested, which shows whether there is another page.
  const indexed = await images.tagPage(repository, { after: last, limit: n + 1 });
  const own =
    indexed ??
    (await tagsAfter(last, n + 1, (await registry.tags(repository, account)) ?? upstream));
  const found = upstream ? await mergeTags(own, last, n + 1, upstream) : own;
  const shown = found.slice(0, n);
  const end = shown.at(-1);
  const more = end !== undefined && found.length > n;
  const route = { kind: 'tags', repository } as const;
  return {
    page: { name: repository, tags: shown },
    link: more ? linkTo(route, { last: end, n: String(n) }) : undefined,
  };
}

/** Each tag once, in order. */
async function mergeTags(
  own: readonly string[],
  last: string | undefined,
  most: number,
  upstream: readonly string[],
): Promise<string[]> {
  return inSlices(firstAfter(last, most, [...new Set([...own, ...upstream])]));
}

interface Sortable {
  tag: string;
  folded: string;
}

/** @param tags all tags of the repository; null if it is unknown */
async function tagsAfter(
  last: string | undefined,
  most: number,
  tags: readonly string[] | null,
): Promise<string[]> {
  if (tags === null) throw notFound('NAME_UNKNOWN', 'there is no such repository');
  return inSlices(firstAfter(last, most, tags));
}

const TAGS_PER_STEP = 1_000;

/** A repository may have a million tags: no more than a page and a step of them are sorted. */
function* firstAfter(
  last: string | undefined,
  most: number,
  tags: readonly string[],
): Steps<string[]> {
  const start = last === undefined ? null : sortable(last);
  let first: Sortable[] = [];
  for (let at = 0; at < tags.length; at += TAGS_PER_STEP) {
    const found = tags
      .slice(at, at + TAGS_PER_STEP)
      .filter(isTag)
      .map(sortable)
      .filter((each) => start === null || inOrder(each, start) > 0);
    first = [...first, ...found].sort(inOrder).slice(0, most);
    yield;
  }
  return first.map(({ tag }) => tag);
}

function sortable(tag: string): Sortable {
  return { tag, folded: tag.toLowerCase() };
}

/** Case-insensitive (distribution spec § Listing Tags), then by character for a total order. */
function inOrder(one: Sortable, other: Sortable): number {
  return byCharacter(one.folded, other.folded) || byCharacter(one.tag, other.tag);
}

function byCharacter(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
