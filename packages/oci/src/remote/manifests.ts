/** Manifest requests: bytes are passed on unchanged and verified against their digest. */
import { createHash } from 'node:crypto';
import type { Descriptor } from '../model/descriptor.ts';
import { algorithmOf, type Digest, encodedOf, isDigest } from '../model/digest.ts';
import { assertSize, MAX_MANIFEST_BYTES, parseManifest } from '../model/manifest.ts';
import { essenceOf, isManifestType, MANIFEST_MEDIA_TYPES } from '../model/media-type.ts';
import { invalid, notFound, type OciError } from '../oci-error.ts';
import { bodyOf } from './auth/token.ts';
import type { AuthorizedClient } from './client.ts';
import type { HttpResponse } from './http/message.ts';
import { registryError } from './registry-error.ts';

export interface ManifestAccess {
  client: AuthorizedClient;
  repository: string;
  scopes: readonly string[];
  signal: AbortSignal | undefined;
}

export interface FetchedManifest {
  descriptor: Descriptor;
  bytes: Uint8Array;
}

/**
 * Tries HEAD first: it transfers no body, and Docker Hub counts only GET against its rate limit.
 */
export async function resolveManifest(
  access: ManifestAccess,
  reference: string,
): Promise<Descriptor> {
  const answer = await request(access, 'HEAD', reference);
  const resolved = answer.status === 200 ? descriptorOf(answer, reference) : undefined;
  if (resolved) return resolved;
  if ([401, 403, 404, 429].includes(answer.status))
    throw registryError(answer, describeSubject(access, reference));
  return (await getManifest(access, reference)).descriptor;
}

/**
 * @throws as `getManifestBytes`; invalid `MANIFEST_INVALID`, `MANIFEST_UNSUPPORTED` if the type has
 * to be detected
 */
export async function getManifest(
  access: ManifestAccess,
  reference: string,
): Promise<FetchedManifest> {
  const { answer, digest } = await getVerified(access, reference);
  const { body: bytes } = answer;
  const mediaType = await mediaTypeOf(answer);
  return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
}

/**
 * Fetches a manifest whose media type is known.
 * @throws invalid `DIGEST_MISMATCH` if the bytes match neither the requested digest nor the stated
 * one
 */
export async function getManifestBytes(
  access: ManifestAccess,
  digest: Digest,
): Promise<Uint8Array> {
  return (await getVerified(access, digest)).answer.body;
}

async function getVerified(
  access: ManifestAccess,
  reference: string,
): Promise<{ answer: HttpResponse; digest: Digest }> {
  const answer = await request(access, 'GET', reference);
  if (answer.status !== 200) throw await refusal(access, reference, answer);
  const stated = statedDigest(answer);
  const wanted = isDigest(reference) ? reference : stated;
  const digest = digestOf(answer.body, wanted ?? 'sha256:');
  for (const expected of [wanted, stated]) {
    if (
      expected !== undefined &&
      algorithmOf(expected) === algorithmOf(digest) &&
      expected !== digest
    ) {
      throw mismatch(answer, expected);
    }
  }
  return { answer, digest };
}

/**
 * Distribution opens a blob where the manifest of its digest is asked for, and answers 500
 * (https://github.com/distribution/distribution/issues/3122). No retry helps.
 */
async function refusal(
  access: ManifestAccess,
  reference: string,
  answer: HttpResponse,
): Promise<OciError> {
  const what = describeSubject(access, reference);
  const failed = registryError(answer, what);
  if (answer.status !== 500 || !isDigest(reference) || !(await isBlob(access, reference)))
    return failed;
  const { host } = answer.url;
  const message = `${host} has a blob with this digest, and no manifest: ${what}`;
  return notFound('MANIFEST_UNKNOWN', message, { cause: failed, detail: { host } });
}

async function isBlob(
  { client, repository, scopes, signal }: ManifestAccess,
  digest: Digest,
): Promise<boolean> {
  const path = `${repository}/blobs/${digest}`;
  const { status } = await client.send({ method: 'HEAD', path, scopes, signal });
  return status === 200;
}

export async function manifestExists(
  access: ManifestAccess,
  { digest }: Descriptor,
): Promise<boolean> {
  const answer = await request(access, 'HEAD', digest);
  if (answer.status === 404) return false;
  if (answer.status === 200) return true;
  throw registryError(answer, describeSubject(access, digest));
}

/** @param reference The digest, or a tag. */
export async function putManifest(
  { client, repository, scopes, signal }: ManifestAccess,
  reference: string,
  { descriptor, bytes }: FetchedManifest,
): Promise<HttpResponse> {
  const answer = await client.send({
    method: 'PUT',
    path: `${repository}/manifests/${reference}`,
    scopes,
    headers: { 'content-type': descriptor.mediaType },
    body: bodyOf(bytes),
    signal,
  });
  if (answer.status !== 201 && answer.status !== 200 && answer.status !== 202) {
    throw registryError(answer, `the manifest ${reference} of ${repository}`);
  }
  const stated = statedDigest(answer);
  if (
    stated !== undefined &&
    sameAlgorithm(stated, descriptor.digest) &&
    stated !== descriptor.digest
  ) {
    throw mismatch(answer, descriptor.digest);
  }
  return answer;
}

export function digestOf(bytes: Uint8Array, like: string): Digest {
  const algorithm = like.startsWith('sha512:') ? 'sha512' : 'sha256';
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
}

function request(
  access: ManifestAccess,
  method: 'GET' | 'HEAD',
  reference: string,
): Promise<HttpResponse> {
  const { client, repository, scopes, signal } = access;
  const path = `${repository}/manifests/${reference}`;
  const headers = { accept: MANIFEST_MEDIA_TYPES.join(', ') };
  return client.send({ method, path, scopes, headers, maxBytes: MAX_MANIFEST_BYTES, signal });
}

/** Undefined if the headers are incomplete; then a GET is needed. */
function descriptorOf(answer: HttpResponse, reference: string): Descriptor | undefined {
  const digest = statedDigest(answer);
  const size = Number(answer.headers['content-length'] ?? Number.NaN);
  const mediaType = statedType(answer.headers);
  if (
    digest === undefined ||
    !Number.isSafeInteger(size) ||
    size <= 0 ||
    !isManifestType(mediaType)
  ) {
    return undefined;
  }
  if (isDigest(reference) && sameAlgorithm(digest, reference) && digest !== reference)
    throw mismatch(answer, reference);
  assertSize(size);
  return { mediaType, digest: isDigest(reference) ? reference : digest, size };
}

function sameAlgorithm(one: Digest, other: Digest): boolean {
  return (
    algorithmOf(one) === algorithmOf(other) && encodedOf(one).length === encodedOf(other).length
  );
}

function statedDigest({ headers }: HttpResponse): Digest | undefined {
  const stated = headers['docker-content-digest'] ?? '';
  return isDigest(stated) ? stated : undefined;
}

/**
 * Some servers send only `application/json` or `text/plain`; then the `mediaType` in the document
 * decides.
 * @throws invalid `MANIFEST_INVALID`, `MANIFEST_UNSUPPORTED`
 */
async function mediaTypeOf({ headers, body }: HttpResponse): Promise<string> {
  const stated = statedType(headers);
  return isManifestType(stated) ? stated : (await parseManifest(body, stated)).mediaType;
}

function statedType(headers: HttpResponse['headers']): string {
  return essenceOf(headers['content-type'] ?? '');
}

function mismatch({ url }: HttpResponse, expected: Digest): OciError {
  return invalid(
    'DIGEST_MISMATCH',
    `${url.host} has other bytes under ${expected} than it should`,
    {
      detail: { host: url.host, digest: expected },
    },
  );
}

function describeSubject({ repository }: ManifestAccess, reference: string): string {
  return `the manifest of ${repository}${isDigest(reference) ? '@' : ':'}${reference}`;
}
