/**
 * Files of the registry's storage that a crash or a full disk left empty
 * (https://github.com/distribution/distribution/issues/4489). They count as absent: no client
 * uploads a blob again that HEAD reports as present.
 */
import { createHash } from 'node:crypto';
import { isAppError, notFound } from '@portcullis/errors';
import type { RepositoryRoute, V2Request } from '../routes.ts';
import type { RegistryReply } from '../v2.ts';
import type { StoredReads } from './stored-reads.ts';

const EMPTY = new Set(
  ['sha256', 'sha512'].map((name) => `${name}:${createHash(name).digest('hex')}`),
);

/** @throws not_found `BLOB_UNKNOWN` where the reply is that of a blob whose bytes are lost */
export function assertNotEmptied(
  { method }: Pick<V2Request, 'method'>,
  route: RepositoryRoute,
  { status, headers }: RegistryReply,
): void {
  if (route.kind !== 'blob' || (method !== 'GET' && method !== 'HEAD') || status !== 200) return;
  if (headers['content-length'] !== '0' || EMPTY.has(route.digest)) return;
  throw notFound('BLOB_UNKNOWN', 'the file of this blob is empty; push it again', {
    detail: { digest: route.digest },
  });
}

/** @returns the error to answer with: that of the registry, unless the file is empty */
export async function unlessEmptied(
  storedReads: Pick<StoredReads, 'isManifestEmpty'> | null,
  { method, route }: V2Request,
  error: unknown,
): Promise<unknown> {
  if (route.kind !== 'manifest' || (method !== 'GET' && method !== 'HEAD')) return error;
  if (!isAppError(error) || error.kind !== 'unavailable') return error;
  if (!(await storedReads?.isManifestEmpty(route))) return error;
  return notFound('MANIFEST_UNKNOWN', 'the file of this manifest is empty; push it again', {
    cause: error,
  });
}
