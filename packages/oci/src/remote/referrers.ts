/**
 * Referrers of a manifest (distribution spec § Listing referrers). For registries without the API,
 * clients that push a referrer maintain an index under the tag `sha256-<hex>` (§ Referrers tag
 * schema).
 */
import type { ReferrersOptions } from '../copy/content.ts';
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import { essenceOf, OCI_INDEX } from '../model/media-type.ts';
import { MAX_ENTRIES, readReferrersList } from '../model/referrers-list.ts';
import { referrersTag } from '../model/referrers-tag.ts';
import { isOciError, type OciError, tooLarge, unavailable } from '../oci-error.ts';
import type { HttpResponse } from './http/message.ts';
import { getManifest, type ManifestAccess } from './manifests.ts';
import { nextPage } from './page.ts';
import { isKind, registryError } from './registry-error.ts';

const MAX_PAGES = 100;
/** Limit for all pages together, because any client may have written them. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Follows the pages of the list. After a fault the entries that were read are returned, if the
 * caller takes faults.
 */
export async function listReferrers(
  access: ManifestAccess,
  digest: Digest,
  incomplete: ReferrersOptions['incomplete'] = fail,
): Promise<Descriptor[]> {
  const found: Descriptor[] = [];
  const seen = new Set<string>();
  let path: string | undefined = `${access.repository}/referrers/${digest}`;
  let bytes = 0;
  while (path !== undefined && !seen.has(path)) {
    seen.add(path);
    const answer = await request(access, path);
    if (!isReferrersList(answer)) {
      if (seen.size === 1) return fallback(access, digest, { answer, incomplete });
      incomplete(listError(answer, digest));
      return found;
    }
    bytes += answer.body.byteLength;
    found.push(...(await entriesOf(answer.body, incomplete)));
    const next = nextPage(answer);
    const base = await access.client.base(access.signal);
    path = next && `${next.pathname}${next.search}`;
    const fault =
      next && faultOf(next, { base, bytes, entries: found.length, pages: seen.size, digest });
    if (fault) {
      incomplete(fault);
      return found;
    }
  }
  return found;
}

function request({ client, scopes, signal }: ManifestAccess, path: string): Promise<HttpResponse> {
  const headers = { accept: OCI_INDEX };
  return client.send({ method: 'GET', path, scopes, headers, maxBytes: MAX_BYTES, signal });
}

/** Why the next page isn't requested. */
function faultOf(
  next: URL,
  read: { base: URL; bytes: number; entries: number; pages: number; digest: Digest },
): OciError | undefined {
  if (read.bytes > MAX_BYTES || read.pages >= MAX_PAGES) return tooLong(read.digest);
  if (read.entries >= MAX_ENTRIES) return tooManyListed();
  if (next.pathname.startsWith(read.base.pathname)) return undefined;
  return unavailable(
    'REGISTRY_ANSWER_INVALID',
    `${read.base.host} continues the list of referrers outside of its API`,
  );
}

/**
 * Registries without the API answer in many ways. What they answer is a fault of the list only
 * where it means something else, and the tag has no list either.
 */
async function fallback(
  access: ManifestAccess,
  digest: Digest,
  { answer, incomplete }: { answer: HttpResponse; incomplete: (error: OciError) => void },
): Promise<Descriptor[]> {
  if (answer.status >= 500 && answer.status !== 501) throw listError(answer, digest);
  if (answer.status === 429) throw listError(answer, digest);
  const list = await readFallback(access, digest);
  if (list === undefined && !lacksApi(answer)) incomplete(listError(answer, digest));
  const entries = list ? await entriesOf(list, incomplete) : [];
  return entries.some(isImage) ? [] : entries;
}

/** A client pushed an image of several platforms under such a tag. */
function isImage({ platform }: Descriptor): boolean {
  return platform !== undefined;
}

function listError(answer: HttpResponse, digest: Digest): OciError {
  return registryError(answer, `the referrers of ${digest}`);
}

function fail(error: OciError): never {
  throw error;
}

function tooManyListed(): OciError {
  return tooLarge('REFERRERS_TOO_MANY', `the list has more than ${MAX_ENTRIES} referrers`);
}

function tooLong(digest: Digest): OciError {
  return tooLarge(
    'REGISTRY_ANSWER_TOO_LARGE',
    `the list of the referrers of ${digest} has more than ${MAX_PAGES} pages or ${MAX_BYTES} bytes`,
  );
}

/** The specification uses 404; registries that do not know the path return other codes. */
const WITHOUT_API = new Set([200, 400, 404, 405, 406, 410, 415, 501]);

function lacksApi({ status }: HttpResponse): boolean {
  return WITHOUT_API.has(status);
}

function isReferrersList({ status, headers }: HttpResponse): boolean {
  return status === 200 && essenceOf(headers['content-type'] ?? '') === OCI_INDEX;
}

/** The list under the tag; undefined where there is none. */
async function readFallback(
  access: ManifestAccess,
  digest: Digest,
): Promise<Uint8Array | undefined> {
  try {
    const { descriptor, bytes } = await getManifest(access, referrersTag(digest));
    // GitLab's registry takes the tag for the digest and answers with the image itself.
    const isList = descriptor.mediaType === OCI_INDEX && descriptor.digest !== digest;
    return isList ? bytes : undefined;
  } catch (error) {
    if (isKind(error, 'not_found')) return undefined;
    throw error;
  }
}

async function entriesOf(
  bytes: Uint8Array,
  incomplete: (error: OciError) => void,
): Promise<Descriptor[]> {
  try {
    const { manifests, faults } = await readReferrersList(bytes);
    for (const fault of faults) incomplete(fault);
    return manifests;
  } catch (error) {
    if (!isOciError(error)) throw error;
    incomplete(error);
    return [];
  }
}
