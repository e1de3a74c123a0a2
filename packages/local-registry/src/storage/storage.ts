/** Paths of the distribution registry's storage (file-system driver, path version v2). */
import { join } from 'node:path';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';

/** How entries of ours begin, beside the registry's own directory, which it never reads. */
export const OWN_ENTRY = 'portcullis-';

export function registryRoot(storageDir: string): string {
  return join(storageDir, 'docker', 'registry', 'v2');
}

export function repositoriesDir(storageDir: string): string {
  return join(registryRoot(storageDir), 'repositories');
}

/** @param repository a validated name (`parseRepository`): it becomes a path */
export function repositoryDir(storageDir: string, repository: string): string {
  return join(repositoriesDir(storageDir), ...repository.split('/'));
}

export function blobsDir(storageDir: string): string {
  return join(registryRoot(storageDir), 'blobs');
}

export function blobPath(storageDir: string, digest: Digest): string {
  const encoded = encodedOf(digest);
  return join(blobsDir(storageDir), algorithmOf(digest), encoded.slice(0, 2), encoded, 'data');
}
