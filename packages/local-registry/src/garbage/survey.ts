/**
 * Finds what nothing in the registry's storage needs: manifests that no tag reaches, and blobs that
 * none of the other manifests references. Writes may go on meanwhile: what they touch is kept
 * afterwards (`keep-touched.ts`).
 */
import { unavailable } from '@portcullis/errors';
import { type Digest, forEachAtMost } from '@portcullis/oci';
import {
  AT_ONCE,
  type BlobFile,
  blobFile,
  blobFiles,
  digestOf,
  digestsIn,
  fieldsOf,
  type ManifestLinks,
  namedIn,
  recordedIn,
  repositoriesIn,
  revisionsOf,
  unreachableOf,
} from '../catalog/stored-manifests.ts';
import type { StorageFiles } from '../storage/storage-files.ts';
import { type Collection, isAlwaysKept } from './collection.ts';
import { blobsIn } from './references.ts';

export interface Unneeded {
  /** By repository. */
  manifests: Map<string, UnneededManifests>;
  blobs: Map<string, BlobFile>;
}

interface UnneededManifests {
  /** Parents before their children. */
  digests: Set<Digest>;
  /** Those of them that have a subject, by its digest. */
  referrers: ReadonlyMap<string | null, readonly Digest[]>;
}

interface SurveyOptions
  extends Pick<Collection, 'kept' | 'keptBetween' | 'recorded' | 'signal' | 'line'> {
  deleteUntagged: boolean;
  /** Manifests that are kept like tagged ones, by repository. */
  pinned: ReadonlyMap<string, ReadonlySet<string>>;
}

const REPOSITORIES_AT_ONCE = 4;

/** @throws unavailable `GC_FAILED`; the signal's reason */
export async function survey(storage: StorageFiles, options: SurveyOptions): Promise<Unneeded> {
  // Listed before manifests are read, so that a blob that is written later is not in it.
  const blobs = await blobFiles(storage);
  const unneeded: Unneeded = { manifests: new Map(), blobs };
  for (const [digest, { modifiedAt }] of blobs)
    if (isAlwaysKept(digest, modifiedAt, options)) blobs.delete(digest);
  const repositories: string[] = [];
  for await (const repository of repositoriesIn(storage)) repositories.push(repository);
  await forEachAtMost(REPOSITORIES_AT_ONCE, repositories, async (repository) => {
    options.signal.throwIfAborted();
    await surveyRepository(storage, repository, { options, unneeded });
  });
  return unneeded;
}

interface Surveying {
  options: SurveyOptions;
  unneeded: Unneeded;
}

async function surveyRepository(
  storage: StorageFiles,
  repository: string,
  { options, unneeded }: Surveying,
): Promise<void> {
  const revisions = await revisionsOf(storage, repository);
  const read = new Map<Digest, ReadManifest>();
  await forEachAtMost(AT_ONCE, revisions, async (digest) => {
    read.set(digest, await readOrRecorded(storage, { repository, digest }, options));
  });
  const pinned = options.pinned.get(repository) ?? new Set();
  const unreachable = options.deleteUntagged
    ? await unreachableOf(storage, repository, { manifests: read, kept: pinned })
    : [];
  const digests = new Set(unreachable);
  const referrers = Map.groupBy(unreachable, (digest) => read.get(digest)?.subject ?? null);
  if (digests.size > 0) unneeded.manifests.set(repository, { digests, referrers });
  for (const [digest, { names }] of read) {
    if (digests.has(digest)) continue;
    if (names === null)
      throw unavailable('GC_FAILED', `the manifest ${digest} can not be read as JSON`);
    for (const each of [digest, ...names]) unneeded.blobs.delete(each);
  }
  for (const digest of await namedIn(storage, repository)) unneeded.blobs.delete(digest);
}

async function readOrRecorded(
  storage: StorageFiles,
  { repository, digest }: { repository: string; digest: Digest },
  { recorded, line }: SurveyOptions,
): Promise<ReadManifest> {
  const manifest = await readManifest(storage, digest);
  if (manifest.names !== null) return manifest;
  const known = await recordedIn(recorded, repository, digest);
  if (known) line(damaged(repository, digest));
  return known ?? manifest;
}

export function damaged(repository: string, digest: Digest): string {
  return `${repository}: the file of the manifest ${digest} is damaged; what it listed is kept. Push its image again, or delete it`;
}

interface ReadManifest extends ManifestLinks {
  /** The blobs and manifests that it references; null where it is no JSON object. */
  names: string[] | null;
}

/** One without a file references nothing. */
export async function readManifest(storage: StorageFiles, digest: Digest): Promise<ReadManifest> {
  const bytes = await storage.read(blobFile(digest));
  if (bytes === null) return { children: [], subject: null, names: [] };
  const document = await fieldsOf(bytes);
  return {
    children: digestsIn(document?.manifests),
    subject: digestOf(document?.subject),
    names: document === null ? null : blobsIn(document),
  };
}
