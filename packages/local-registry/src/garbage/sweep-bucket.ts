/**
 * Collects the garbage of a registry whose storage is a bucket, by mark and sweep: it deletes blobs
 * that no manifest references. The registry's own collector fails on many S3 stores, and a bucket
 * offers no view to run it on. Blobs are listed before manifests are read, so a blob written later
 * is not considered. An interrupted run has deleted only garbage, and the next one continues.
 */
import { unavailable } from '@portcullis/errors';
import { forEachAtMost, isDigest } from '@portcullis/oci';
import {
  AT_ONCE,
  blobFile,
  blobFiles,
  namedIn,
  recordedIn,
  repositoriesIn,
  revisionsOf,
} from '../catalog/stored-manifests.ts';
import type { BucketFiles } from '../storage/bucket-files.ts';
import type { StorageFiles } from '../storage/storage-files.ts';
import { type Collected, type Collection, isAlwaysKept } from './collection.ts';
import { namedBy } from './references.ts';
import { damaged } from './survey.ts';

export interface BucketCollection extends Collection {
  storage: BucketFiles;
  now(): Date;
}

/** Small enough that a started deletion ends before a lost lock lets writes in. */
const REMOVED_AT_ONCE = 250;
/** As long as the registry keeps an unfinished upload where its storage is a directory. */
const UPLOAD_MS = 7 * 24 * 3_600_000;

/** @throws unavailable `GC_FAILED`, `STORE_FAILED`; the signal's reason */
export async function sweepBucket(options: BucketCollection): Promise<Collected> {
  const { storage, dryRun, signal, line } = options;
  const blobs = await blobFiles(storage);
  const marks: Marks = { named: new Set(), read: new Set() };
  const abandoned: string[] = [];
  for await (const repository of repositoriesIn(storage)) {
    signal.throwIfAborted();
    await mark(repository, marks, options);
    abandoned.push(...(await abandonedUploads(storage, repository, options.now())));
  }
  const garbage = [...blobs].filter(
    ([digest, { modifiedAt }]) =>
      !marks.named.has(digest) && !isAlwaysKept(digest, modifiedAt, options),
  );
  const digests = garbage.map(([digest]) => digest).filter(isDigest);
  for (const digest of digests) line(`blob eligible for deletion: ${digest}`);
  if (!dryRun) await remove([...digests.map(blobFile), ...abandoned], options);
  return { blobs: garbage.length, bytes: garbage.reduce((sum, [, { size }]) => sum + size, 0) };
}

async function remove(paths: string[], { storage, signal }: BucketCollection): Promise<void> {
  for (let at = 0; at < paths.length; at += REMOVED_AT_ONCE) {
    signal.throwIfAborted();
    await storage.remove(paths.slice(at, at + REMOVED_AT_ONCE));
  }
}

interface Marks {
  /** Blobs that are kept. */
  named: Set<string>;
  /** Manifests that were read: one that several repositories have is read once. */
  read: Set<string>;
}

async function mark(
  repository: string,
  { named, read }: Marks,
  { storage, recorded, line }: BucketCollection,
): Promise<void> {
  const revisions = (await revisionsOf(storage, repository)).filter((digest) => !read.has(digest));
  await forEachAtMost(AT_ONCE, revisions, async (digest) => {
    let names = await namedBy(storage, digest);
    if (names === null) {
      names = (await recordedIn(recorded, repository, digest))?.names ?? null;
      if (names === null)
        throw unavailable('GC_FAILED', `the manifest ${digest} can not be read as JSON`);
      line(damaged(repository, digest));
    }
    for (const each of [digest, ...names]) named.add(each);
    read.add(digest);
  });
  for (const digest of await namedIn(storage, repository)) named.add(digest);
}

/** Files of uploads that were not written to for a week. */
async function abandonedUploads(
  storage: StorageFiles,
  repository: string,
  now: Date,
): Promise<string[]> {
  const base = `repositories/${repository}/_uploads`;
  const uploads = new Map<string, { paths: string[]; newest: number }>();
  for await (const { path, modifiedAt } of storage.files(base)) {
    const id = path.slice(base.length + 1).split('/')[0] ?? '';
    const known = uploads.get(id) ?? { paths: [], newest: 0 };
    uploads.set(id, { paths: [...known.paths, path], newest: Math.max(known.newest, modifiedAt) });
  }
  const old = [...uploads.values()].filter(({ newest }) => newest < now.getTime() - UPLOAD_MS);
  return old.flatMap(({ paths }) => paths);
}
