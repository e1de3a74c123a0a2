/**
 * Lists repositories and tags: of the built-in registry from the index, of a saved registry page by
 * page.
 */
import {
  foldersWith,
  type Principal,
  type RepositoryOrder,
  type TagOrder,
  type TagStandingGroup,
} from '@portcullis/domain';
import { type AppError, conflict, isAppError, notFound } from '@portcullis/errors';
import type { ImmutableTags } from '@portcullis/gate';
import { isReferrersTag, isRepository, OCI_INDEX, parseDigest } from '@portcullis/oci';
import { openRepository, type RegistryOptions, readCatalog } from '@portcullis/oci/remote';
import type { RegistryAccess } from '@portcullis/registry-access';
import type {
  GateBypass,
  IndexedRepository,
  IndexedTag,
  SavedRegistry,
  Store,
  TreeFilter,
  TreeNode,
} from '@portcullis/store';
import type { AccessRights } from '../../identity/rights.ts';
import { readTags, type TagQuery } from './read-tags.ts';
import {
  noRepository,
  type OpenedRepository,
  type RegistryScope,
  type Repositories,
} from './repositories.ts';
import type { Standings } from './standings.ts';
import type { TagJudgement } from './tag-standing.ts';
import { translateErrors } from './upstream.ts';

export interface BrowsePorts {
  images: Pick<Store['images'], 'list' | 'tree' | 'find' | 'tags' | 'verdicts' | 'bypasses'>;
  repositories: Repositories;
  access: Pick<RegistryAccess, 'optionsOf'>;
  rights: AccessRights;
  standings: Pick<Standings, 'judged' | 'judgedTags'>;
  gates: { immutableTags: Pick<ImmutableTags, 'patternOf'> };
}

export interface ListQuery {
  search: string | undefined;
  folder: string | undefined;
  /** Of the built-in registry. */
  order: RepositoryOrder;
  page: number;
  pageSize: number;
}

/** The order and the standing are of the built-in registry. */
export type TagListQuery = TagQuery & {
  order: TagOrder;
  standing: TagStandingGroup | undefined;
};

export type TreeQuery = Omit<TreeFilter, 'folders'>;
export interface TreeLevel {
  items: TreeNode[];
  total: number;
}

type Unknowable<T, K extends keyof T> = Omit<T, K> & { [P in K]: T[P] | null };
type ListedRepository = Unknowable<IndexedRepository, 'folder' | 'tagCount' | 'size' | 'updatedAt'>;
type DescribedTag = Unknowable<IndexedTag, 'size' | 'updatedAt'>;
export type ListedTag = DescribedTag & {
  judgement: TagJudgement | null;
  /** It can be neither moved nor deleted. */
  immutable: boolean;
  /** The newest push into this repository that bypassed the gate. */
  bypass: GateBypass | null;
};

export interface RepositoryPage {
  items: ListedRepository[];
  total: number;
}

export interface ImageTagPage {
  items: ListedTag[];
  nextCursor: string | null;
  /** Null where the registry does not return a total. */
  total: number | null;
}

export function createBrowse(ports: BrowsePorts) {
  const { images, repositories, access, rights, standings, gates } = ports;

  async function list(scope: RegistryScope, query: ListQuery): Promise<RepositoryPage> {
    const place = await repositories.locate(scope);
    if (place.kind === 'local') return listLocal(scope.principal, query);
    await rights.assert(scope.principal, { action: 'pull_external' });
    return listSaved(await access.optionsOf(place), place.saved, query);
  }

  async function listLocal(principal: Principal, query: ListQuery): Promise<RepositoryPage> {
    await repositories.assertLocalAnswers();
    return images.list({ ...query, folders: within(readableBy(principal), query.folder) });
  }

  async function tree(scope: RegistryScope, query: TreeQuery): Promise<TreeLevel> {
    const place = await repositories.locate(scope);
    if (place.kind !== 'local') throw notIndexed(place.saved.host);
    await repositories.assertLocalAnswers();
    return images.tree({ ...query, folders: readableBy(scope.principal) });
  }

  async function tags(
    scope: RegistryScope,
    name: string,
    query: TagListQuery,
  ): Promise<ImageTagPage> {
    const opened = await repositories.open(scope, name, 'pull');
    if (opened.local) return localTags(name, query);
    if (query.standing !== undefined) throw unfiltered();
    return savedTags(opened, scope, query);
  }

  async function localTags(name: string, query: TagListQuery): Promise<ImageTagPage> {
    await repositories.assertLocalAnswers();
    const found = await images.tags(name, query);
    if (found.total === 0 && !(await hasTags(name, query))) throw notFound(...noRepository(name));
    const digests = found.items.map(({ digest }) => digest);
    const [patternOf, judged, bypasses] = await Promise.all([
      gates.immutableTags.patternOf(name),
      standings.judgedTags(name, found.items),
      images.bypasses(digests.map((digest) => ({ repository: name, digest }))),
    ]);
    const bypassOf = new Map(bypasses.map((each) => [each.digest, each]));
    const items = judged.map((each) => ({
      ...each,
      bypass: bypassOf.get(each.digest) ?? null,
      immutable: patternOf(each.tag) !== null && !listsReferrers(each),
    }));
    return { ...found, items };
  }

  /** Whether it is the filter that leaves none. */
  async function hasTags(name: string, { q, standing }: TagListQuery): Promise<boolean> {
    const isFiltered = q !== undefined || standing !== undefined;
    return isFiltered && ((await images.find(name))?.tagCount ?? 0) > 0;
  }

  async function savedTags(
    opened: OpenedRepository,
    scope: RegistryScope,
    query: TagQuery,
  ): Promise<ImageTagPage> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const { items, next } = await readTags(opened, query, signal);
    const described = await eachAtOnce(items, (tag) => describeTag(opened, tag, signal));
    const found = described.filter((tag) => tag !== null);
    // A registry may claim any digest, so that scans of other accounts are not shown for it.
    const ownerId = scope.principal.isAdmin ? null : scope.principal.id;
    const verdicts = await images.verdicts(
      found.map(({ digest }) => digest),
      ownerId,
    );
    const scanned = new Map(
      (
        await standings.judged(
          [...verdicts].map(([digest, verdict]) => ({ digest, verdict })),
          () => ({ registryId: scope.registryId, repository: opened.name }),
        )
      ).map(({ digest, verdict }) => [digest, verdict]),
    );
    const judged = found.map((tag) => ({
      ...tag,
      verdict: scanned.get(tag.digest) ?? null,
      judgement: null,
      immutable: false,
      bypass: null,
    }));
    return { items: judged, nextCursor: next ?? null, total: null };
  }

  return { list, tree, tags };
}

function readableBy({ isAdmin, grants }: Principal): 'all' | readonly string[] {
  return isAdmin ? 'all' : foldersWith(grants, 'pull');
}

function notIndexed(host: string) {
  const message = `Of ${host} only lists can be had: it isn't known well enough for a tree.`;
  return conflict('REGISTRY_NOT_INDEXED', message);
}

function unfiltered() {
  const message = 'Only tags of the built-in registry are filtered by standing.';
  return conflict('REGISTRY_NOT_INDEXED', message);
}

/** Keeps one folder of the caller's; none if the caller may not read it. */
function within(
  readable: 'all' | readonly string[],
  folder: string | undefined,
): 'all' | readonly string[] {
  if (folder === undefined) return readable;
  return readable === 'all' || readable.includes(folder) ? [folder] : [];
}

const PATIENCE_MS = 20_000;
const AT_ONCE = 6;

/** Null if the tag was removed after it was listed. */
async function describeTag(
  { name, ask }: OpenedRepository,
  tag: string,
  signal: AbortSignal,
): Promise<DescribedTag | null> {
  try {
    const { digest, mediaType } = await ask(['TAG_GONE', `${name}:${tag} is gone`], (repository) =>
      repository.resolve(tag, { signal }),
    );
    return {
      tag,
      digest: parseDigest(digest),
      mediaType,
      size: null,
      platforms: [],
      updatedAt: null,
      verdict: null,
    };
  } catch (error) {
    if (isAppError(error) && error.code === 'TAG_GONE') return null;
    throw error;
  }
}

async function eachAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Map<number, R>();
  const waiting = [...items.entries()];
  async function next(): Promise<void> {
    for (let entry = waiting.shift(); entry; entry = waiting.shift())
      results.set(entry[0], await work(entry[1]));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return items.map((_, at) => results.get(at)).filter((result) => result !== undefined);
}

const CATALOG_PAGE = 1000;
/** Deeper catalogues are searched rather than paged. */
const MOST_CATALOG_PAGES = 50;
/** A registry that ignores the size of a page may send millions of names in each. */
const MOST_NAMES = MOST_CATALOG_PAGES * CATALOG_PAGE;

/** A catalogue can only be read from its start: up to the requested page, and one entry more. */
async function listSaved(
  options: RegistryOptions,
  { host }: SavedRegistry,
  query: ListQuery,
): Promise<RepositoryPage> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const end = Math.min(query.page * query.pageSize, MOST_NAMES);
  const names: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_CATALOG_PAGES && names.length <= end; pages++) {
    const page = await readCatalogOf(options, { host, cursor, signal });
    if (isAppError(page)) return listByName(options, { host, refusal: page }, query, signal);
    // One by one: a registry that ignores limits may return more names than a call may have
    // arguments.
    for (const name of page.items) if (matches(name, query.search)) names.push(name);
    if (page.next === undefined || page.next === cursor) break;
    cursor = page.next;
  }
  const items = names.slice((query.page - 1) * query.pageSize, end).map(repositoryNamed);
  return { items, total: Math.min(names.length, end + 1) };
}

interface CatalogQuestion {
  host: string;
  cursor: string | undefined;
  signal: AbortSignal;
}

/** A list that clients rewrite, as the doors decide it. */
function listsReferrers({ tag, mediaType, platforms }: DescribedTag): boolean {
  return isReferrersTag(tag) && mediaType === OCI_INDEX && platforms.length === 0;
}

/** The refusal if the registry does not offer a catalogue. */
async function readCatalogOf(options: RegistryOptions, { host, cursor, signal }: CatalogQuestion) {
  try {
    return await readCatalog(options, { limit: CATALOG_PAGE, cursor, signal });
  } catch (error) {
    if (
      cursor === undefined &&
      isAppError(error) &&
      CLOSED.has(error.kind) &&
      !error.code.startsWith('EGRESS_')
    )
      return error;
    return translateErrors({ registry: { host, login: 'saved' }, missing: KEPT_CLOSED }, () =>
      Promise.reject(error),
    );
  }
}

const KEPT_CLOSED: [string, string] = ['CATALOG_CLOSED', 'It keeps its catalogue to itself.'];
const CLOSED = new Set(['unauthenticated', 'forbidden', 'not_found', 'invalid']);

/** Docker Hub and similar registries have no catalogue; a full repository name is still found. */
async function listByName(
  options: RegistryOptions,
  { host, refusal }: { host: string; refusal: AppError },
  { search, page }: ListQuery,
  signal: AbortSignal,
): Promise<RepositoryPage> {
  if (search === undefined || !isRepository(search)) throw catalogClosed(host, refusal);
  const repository = openRepository({ ...options, repository: search });
  try {
    await translateErrors(
      { registry: { host, login: 'saved' }, missing: noRepository(search) },
      () => repository.tags({ limit: 1, signal }),
    );
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'not_found') throw error;
    return { items: [], total: 0 };
  }
  return { items: page === 1 ? [repositoryNamed(search)] : [], total: 1 };
}

function catalogClosed(host: string, { code, message: cause }: AppError) {
  if (code === 'LOGIN_WITHHELD') return conflict(code, cause);
  const message = `${host} keeps the list of its repositories to itself: search for a whole name.`;
  return conflict('CATALOG_CLOSED', message);
}

function matches(name: string, search: string | undefined): boolean {
  return search === undefined || name.includes(search.toLowerCase());
}

function repositoryNamed(name: string): ListedRepository {
  return { name, folder: null, tagCount: null, size: null, updatedAt: null };
}
