/**
 * Lists the referrers of a manifest (distribution spec § Listing Referrers). The local registry has
 * no such list: our index holds those pushed through `/v2`, and the index under the tag
 * `sha256-<hex>` those pushed directly to the registry, or before.
 */
import { createHash } from 'node:crypto';
import { isAppError } from '@portcullis/errors';
import { algorithmOf, type Digest, encodedOf, OCI_INDEX, parseManifest } from '@portcullis/oci';
import type { Referrer, Store } from '@portcullis/store';
import { LRUCache } from 'lru-cache';
import { linkTo } from '../page.ts';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';
import type { Query } from '../query.ts';

export interface ReferrersPorts {
  referrers: Pick<Store['referrers'], 'list'>;
  registryClient: Pick<LocalRegistryClient, 'index' | 'has'>;
}

export interface ReferrersPage {
  index: { schemaVersion: 2; mediaType: typeof OCI_INDEX; manifests: ReferrerDescriptor[] };
  link: string | undefined;
  /** Whether the `artifactType` filter was applied. */
  filtered: boolean;
}

interface ReferrerDescriptor {
  mediaType: string;
  digest: string;
  size: number;
  artifactType?: string;
  annotations?: Record<string, string>;
}

export interface ReferrersRequest {
  repository: string;
  digest: Digest;
  query: Query;
}

const PAGE = 100;
/** Clients accept indexes up to 4 MiB, and a referrer may have megabytes of annotations. */
const MAX_PAGE_BYTES = 3 * 1024 * 1024;

export async function listReferrers(
  ports: ReferrersPorts,
  request: ReferrersRequest,
): Promise<ReferrersPage> {
  const { repository, digest, query } = request;
  const artifactType = query.get('artifactType');
  const after = query.get('last');
  const [own, tagged] = await Promise.all([
    ports.referrers.list({ repository, subject: digest, artifactType, after, limit: PAGE + 1 }),
    ports.registryClient.index(repository, fallbackTag(digest)),
  ]);
  const recorded = new Set(own.map((each) => each.digest));
  const others =
    tagged === null
      ? []
      : (await descriptorsIn(tagged)).filter((each) => !recorded.has(each.digest));
  const found = [...own.map(descriptorOf), ...others]
    .filter((each) => artifactType === undefined || each.artifactType === artifactType)
    .filter((each) => after === undefined || each.digest > after)
    .sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const page = firstOf(found);
  const last = page.at(-1)?.digest;
  const isMore = last !== undefined && page.length < found.length;
  const route = { kind: 'referrers', repository, digest } as const;
  // Deleted manifests remain in the tagged index.
  const there = await Promise.all(
    page.map(
      (each) => recorded.has(each.digest) || ports.registryClient.has(repository, each.digest),
    ),
  );
  const manifests = page.filter((_, at) => there[at]);
  return {
    index: { schemaVersion: 2, mediaType: OCI_INDEX, manifests },
    link: isMore
      ? linkTo(route, { ...(artifactType !== undefined && { artifactType }), last })
      : undefined,
    filtered: artifactType !== undefined,
  };
}

/** The referrers that fit on a page. */
function firstOf(found: readonly ReferrerDescriptor[]): ReferrerDescriptor[] {
  let bytes = 0;
  const end = found.findIndex((each, at) => {
    bytes += JSON.stringify(each).length;
    return at >= PAGE || (at > 0 && bytes > MAX_PAGE_BYTES);
  });
  return end < 0 ? [...found] : found.slice(0, end);
}

type Listed = Pick<Referrer, 'mediaType' | 'digest' | 'size'> & {
  artifactType?: string | null | undefined;
  annotations?: Record<string, string> | null | undefined;
};

function descriptorOf({
  mediaType,
  digest,
  size,
  artifactType,
  annotations,
}: Listed): ReferrerDescriptor {
  return {
    mediaType,
    digest,
    size,
    ...(artifactType && { artifactType }),
    ...(annotations && { annotations }),
  };
}

/** Distribution spec § Referrers tag schema. */
function fallbackTag(digest: Digest): string {
  return `${algorithmOf(digest)}-${encodedOf(digest).slice(0, 64)}`;
}

const MOST_KNOWN_BYTES = 32 * 1024 * 1024;

/**
 * The lists that were read last, by the digests of their bytes: reading one of some megabytes holds
 * the event loop, and any client may ask for it as often as it wants.
 */
const known = new LRUCache<string, readonly ReferrerDescriptor[]>({ maxSize: MOST_KNOWN_BYTES });

async function descriptorsIn(bytes: Buffer): Promise<readonly ReferrerDescriptor[]> {
  const digest = createHash('sha256').update(bytes).digest('base64');
  const found = known.get(digest) ?? (await readDescriptors(bytes));
  known.set(digest, found, { size: bytes.length + 1 });
  return found;
}

/** The tag may hold anything: what is not an index counts as an empty list. */
async function readDescriptors(bytes: Buffer): Promise<ReferrerDescriptor[]> {
  try {
    const index = await parseManifest(bytes, OCI_INDEX);
    return index.kind === 'index' ? index.manifests.map(descriptorOf) : [];
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}
