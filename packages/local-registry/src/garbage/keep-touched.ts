/**
 * Takes what finished writes touched out of what a survey found unneeded: the blob or manifest, and
 * all that the manifest reaches, read from the storage as it is now.
 */
import { unavailable } from '@portcullis/errors';
import { algorithmOf, type Digest, encodedOf, isDigest } from '@portcullis/oci';
import { repositoryFile } from '../catalog/stored-manifests.ts';
import type { StorageFiles } from '../storage/storage-files.ts';
import type { Touched } from './collector-lock.ts';
import { readManifest, type Unneeded } from './survey.ts';

/** @throws unavailable `GC_FAILED` */
export async function keepTouched(
  storage: StorageFiles,
  unneeded: Unneeded,
  touched: readonly Touched[],
): Promise<void> {
  for (const { repository, reference } of touched)
    for (const digest of await digestsAt(storage, repository, reference))
      await keepReached(storage, unneeded, { repository, digest });
}

/** A tag's digest, and the SHA-256 under which a blob with another digest is stored. */
async function digestsAt(
  storage: StorageFiles,
  repository: string,
  reference: string,
): Promise<string[]> {
  if (!isDigest(reference))
    return linkAt(storage, repositoryFile(repository, `_manifests/tags/${reference}/current/link`));
  if (algorithmOf(reference) === 'sha256') return [reference];
  const place = `_layers/${algorithmOf(reference)}/${encodedOf(reference)}/link`;
  return [reference, ...(await linkAt(storage, repositoryFile(repository, place)))];
}

async function linkAt(storage: StorageFiles, file: string): Promise<string[]> {
  const link = await storage.read(file);
  return link === null ? [] : [link.toString('utf8').trim()];
}

interface Kept {
  repository: string;
  digest: string;
}

async function keepReached(
  storage: StorageFiles,
  { manifests, blobs }: Unneeded,
  { repository, digest: root }: Kept,
): Promise<void> {
  const candidates = manifests.get(repository);
  const kept = new Set<string>();
  for (const waiting = [root]; waiting.length > 0; ) {
    const digest = waiting.pop() ?? '';
    if (kept.has(digest)) continue;
    kept.add(digest);
    blobs.delete(digest);
    if (!isDigest(digest) || !(await isManifestOf(storage, repository, digest))) continue;
    candidates?.digests.delete(digest);
    const { names, children } = await readManifest(storage, digest);
    if (names === null)
      throw unavailable('GC_FAILED', `the manifest ${digest} can not be read as JSON`);
    for (const each of names) blobs.delete(each);
    waiting.push(...children, ...(candidates?.referrers.get(digest) ?? []));
  }
}

async function isManifestOf(
  storage: StorageFiles,
  repository: string,
  digest: Digest,
): Promise<boolean> {
  const place = `_manifests/revisions/${algorithmOf(digest)}/${encodedOf(digest)}/link`;
  return (await storage.read(repositoryFile(repository, place))) !== null;
}
