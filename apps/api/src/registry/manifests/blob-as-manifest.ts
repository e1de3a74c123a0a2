/**
 * Requests for the manifest of a digest that is a blob's, as clients that follow the index of a
 * build cache make them. Distribution opens the blob, cannot read it, and answers 500
 * (https://github.com/distribution/distribution/issues/3122): nothing is wrong with it, and the
 * request will never succeed.
 */
import { isAppError, notFound } from '@portcullis/errors';
import { isDigest } from '@portcullis/oci';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';
import type { RepositoryRoute, V2Request } from '../routes.ts';
import type { StoredReads } from '../stored/stored-reads.ts';

interface BlobReads {
  storedReads: Pick<StoredReads, 'blobSize'> | null;
  registryClient: Pick<LocalRegistryClient, 'hasBlob'>;
}

interface Asked {
  v2Request: Pick<V2Request, 'method'>;
  route: RepositoryRoute;
}

/** A reply to HEAD has no body that says more. */
const FAULTS = new Set(['REGISTRY_FAILED', 'REGISTRY_UNAVAILABLE']);

/** @returns the error to answer with: a blob is no manifest, or the same one */
export async function unlessBlob(
  { storedReads, registryClient }: BlobReads,
  { v2Request: { method }, route }: Asked,
  error: unknown,
): Promise<unknown> {
  if (route.kind !== 'manifest' || (method !== 'GET' && method !== 'HEAD')) return error;
  const { repository, reference: digest } = route;
  if (!isAppError(error) || !FAULTS.has(error.code) || !isDigest(digest)) return error;
  const size = await storedReads?.blobSize(repository, digest);
  // Where the registry can't serve the blob either, it is at fault.
  const isBlob =
    typeof size === 'number' ||
    (await registryClient.hasBlob(repository, digest).catch(() => false));
  if (!isBlob) return error;
  return notFound('MANIFEST_UNKNOWN', 'this is the digest of a blob, and not of a manifest', {
    cause: error,
    detail: { digest },
  });
}
