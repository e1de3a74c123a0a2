/**
 * Paginated lists of tags and repositories: `Link: <…>; rel="next"` (distribution spec § Listing
 * tags, RFC 8288).
 */

import { parseJson } from '../json/parse-json.ts';
import { inSlices, type Steps } from '../json/slices.ts';
import { isRepository } from '../model/reference.ts';
import { invalid, type OciError, tooLarge, unavailable } from '../oci-error.ts';
import { CATALOG_SCOPE } from './auth/scope.ts';
import { type AuthorizedClient, createRegistryClient, type RegistryOptions } from './client.ts';
import type { HttpResponse } from './http/message.ts';
import { withShownName } from './named/shown-name.ts';
import { isRecord, registryError } from './registry-error.ts';

export interface ListPageOptions {
  /** Number of entries wanted; the registry may return fewer. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  cursor?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface ListPage {
  items: string[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
}

export interface NameListing {
  client: AuthorizedClient;
  /** Path below `/v2/`. */
  path: string;
  scopes: readonly string[];
  /** `tags` or `repositories`. */
  field: string;
  /** Filters names that violate the grammar of the specification: they cannot be requested. */
  isName: (item: string) => boolean;
  what: string;
}

const MAX_LIST_BYTES = 16 * 1024 * 1024;
/** Registries that ignore the requested number send all names at once. */
const MAX_PAGE_ITEMS = 100_000;
const NAMES_PER_STEP = 1_000;

export async function readPage(
  { client, path, scopes, field, isName, what }: NameListing,
  options: ListPageOptions,
): Promise<ListPage> {
  const { limit, cursor, signal } = options;
  const first = limit === undefined ? path : `${path}?n=${limit}`;
  const url = cursor === undefined ? first : await cursorUrl(cursor, await client.base(signal));
  const answer = await client.send({
    method: 'GET',
    path: url,
    scopes,
    maxBytes: MAX_LIST_BYTES,
    signal,
  });
  if (answer.status !== 200) throw registryError(answer, what);
  const names = await namesIn(answer, field, what);
  if (cursor !== undefined && isRepeated(names, cursor)) return { items: [], next: undefined };
  const next = nextCursor(answer) ?? unlinkedCursor(answer, names);
  return { items: await inSlices(choose(names, isName)), next };
}

/** Marks a cursor that we made. A fragment is not sent. */
const UNLINKED = '#unlinked';

/**
 * go-containerregistry's registry sends full pages without a link to the next one, and so may
 * others: it is asked for what comes after the last name.
 */
function unlinkedCursor({ url }: HttpResponse, names: readonly string[]): string | undefined {
  const limit = Number(url.searchParams.get('n') ?? Number.NaN);
  const last = names.at(-1);
  if (names.length !== limit || last === undefined) return undefined;
  return `${url.pathname}?${new URLSearchParams({ n: `${limit}`, last })}${UNLINKED}`;
}

/** Whether a registry that has no more names, or ignores `last`, sent earlier ones again. */
function isRepeated(names: readonly string[], cursor: string): boolean {
  if (!cursor.endsWith(UNLINKED)) return false;
  const last = URL.parse(cursor, 'http://any.invalid')?.searchParams.get('last') ?? '';
  const [first] = names;
  return names.includes(last) || (first !== undefined && first <= last);
}

export function catalogListing(client: AuthorizedClient): NameListing {
  return {
    client,
    path: '_catalog',
    scopes: [CATALOG_SCOPE],
    field: 'repositories',
    isName: isRepository,
    what: 'the catalog',
  };
}

/** Lists the repositories of a registry. Many registries do not support this. */
export function readCatalog(
  registry: RegistryOptions,
  options: ListPageOptions = {},
): Promise<ListPage> {
  const { host, shownAs } = registry;
  const read = () => readPage(catalogListing(createRegistryClient(registry)), options);
  return shownAs === undefined ? read() : withShownName({ host, shownAs }, read);
}

export function tooLong(what: string, most: number): OciError {
  return tooLarge('REGISTRY_ANSWER_TOO_LARGE', `${what} has more than ${most} entries`);
}

/**
 * The `rel="next"` link, resolved against the URL of the response; undefined if there is none. zot
 * 1 writes its one link without the angle brackets.
 */
export function nextLink(header: string | undefined, base: URL): URL | undefined {
  const links = (header ?? '').slice(0, 8192);
  const form = links.includes('<') ? /<([^<>]*)>([^<]*)/g : /^\s*([^\s;,]+)(.*)$/g;
  for (const match of links.matchAll(form)) {
    const [, target = '', params = ''] = match;
    if (/;\s*rel\s*=\s*"?[^";,]*\bnext\b/i.test(params))
      return URL.parse(target, base.href) ?? undefined;
  }
  return undefined;
}

/**
 * The next page of the same list: of the link only its query counts. Registries behind a proxy
 * often send a wrong host, and Artifactory and Nexus have sent paths that lead to another
 * repository or to none.
 */
export function nextPage({ headers, url }: Pick<HttpResponse, 'headers' | 'url'>): URL | undefined {
  const next = nextLink(headers.link, url);
  return next && next.search !== '' ? new URL(`${url.pathname}${next.search}`, url) : next;
}

/** A cursor contains no host: a client could forge it. */
function nextCursor(answer: HttpResponse): string | undefined {
  const next = nextPage(answer);
  return next && `${next.pathname}${next.search}`;
}

function cursorUrl(cursor: string, base: URL): URL {
  const url = URL.parse(cursor, base.href);
  if (!url || url.origin !== base.origin || !url.pathname.startsWith('/v2/')) {
    throw invalid('CURSOR_INVALID', 'the cursor does not belong to this registry');
  }
  return url;
}

async function namesIn(
  { body, url }: HttpResponse,
  field: string,
  what: string,
): Promise<string[]> {
  const list = await listIn(body, field);
  if (!list)
    throw unavailable('REGISTRY_ANSWER_INVALID', `${url.host} did not return a list of ${field}`);
  if (list.length > MAX_PAGE_ITEMS) throw tooLong(`one page of ${what}`, MAX_PAGE_ITEMS);
  return list.filter((name) => typeof name === 'string');
}

function* choose(names: readonly string[], isName: (name: string) => boolean): Steps<string[]> {
  const found: string[] = [];
  for (const [at, name] of names.entries()) {
    if (isName(name)) found.push(name);
    if (at % NAMES_PER_STEP === NAMES_PER_STEP - 1) yield;
  }
  return found;
}

/** Registries written in Go send `null` for an empty list. */
async function listIn(body: Buffer, field: string): Promise<unknown[] | undefined> {
  try {
    const parsed = await parseJson(body);
    if (!isRecord(parsed)) return undefined;
    const list = parsed[field] ?? [];
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}
