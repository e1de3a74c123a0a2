/**
 * Removes manifests and blobs from the registry's storage as the registry itself does: each by the
 * removal of one file, and then of its directory. Writes wait meanwhile, so the calls are
 * synchronous, which is several times as fast.
 */
import { rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';
import { blobPath, repositoryDir } from '../storage/storage.ts';

/** The manifest remains in other repositories that have it. */
export function removeManifestLink(storageDir: string, repository: string, digest: Digest): void {
  const dir = repositoryDir(storageDir, repository);
  const revisions = join(dir, '_manifests', 'revisions', algorithmOf(digest));
  removeIn(join(revisions, encodedOf(digest), 'link'));
}

export function removeBlob(storageDir: string, digest: Digest): void {
  removeIn(blobPath(storageDir, digest));
}

function removeIn(file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(dirname(file));
  } catch {
    // The registry ignores an empty directory, which an interrupted run leaves.
  }
}
