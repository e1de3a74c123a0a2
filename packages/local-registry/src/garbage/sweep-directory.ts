/**
 * Collects the garbage of a registry whose storage is a local directory, in batches. What nothing
 * needs is searched while writes go on. Then writes are blocked for moments: in each, what was
 * touched since is kept, and a batch is deleted. A crash at any point leaves manifests that no tag
 * reaches, and blobs that no manifest references: the next run deletes them.
 */
import { setImmediate } from 'node:timers/promises';
import { unavailable } from '@portcullis/errors';
import { type Digest, isDigest } from '@portcullis/oci';
import { localFiles } from '../storage/local-files.ts';
import type { StorageFiles } from '../storage/storage-files.ts';
import type { Collected, Collection } from './collection.ts';
import {
  type BatchedLock,
  type CollectorLock,
  sleepUnless,
  type Touched,
  type WritePause,
} from './collector-lock.ts';
import { keepTouched } from './keep-touched.ts';
import { removeBlob, removeManifestLink } from './removal.ts';
import { survey, type Unneeded } from './survey.ts';

export interface DirectorySweep
  extends Pick<Collection, 'dryRun' | 'recorded' | 'signal' | 'line'> {
  storageDir: string;
  deleteUntagged: boolean;
  /** Manifests that stay although no tag leads to them, with what they reach. */
  pinned?: readonly { repository: string; digest: string }[];
  registryLock: CollectorLock;
  /** Removes manifests from the tables, before they are deleted. */
  forget(repository: string, digests: readonly Digest[]): Promise<void>;
  now(): Date;
}

export interface SweptDirectory extends Collected {
  manifests: number;
}

/** How long running writes may take to end. */
const PATIENCE_MS = 120_000;
/** How long the lock remembers the blobs that pushes rely on. */
const UNKNOWN_MS = 24 * 3_600_000;
/** How long writes are blocked to delete. A step that has begun is completed. */
const BATCH_MS = 400;
const BETWEEN_BATCHES_MS = 250;
const STEP = 100;
/** More are read while writes go on. */
const TOUCHED_AT_ONCE = 100;

/** @throws unavailable `GC_FAILED`, `REGISTRY_BUSY`, `GATE_LOST`; the signal's reason */
export async function sweepDirectory(options: DirectorySweep): Promise<SweptDirectory> {
  const storage = localFiles(options.storageDir);
  if (options.dryRun) {
    const unneeded = await search(storage, options);
    return sumOf(unneeded, options);
  }
  options.line('waiting for the writes that began');
  await using lock = await options.registryLock.begin({
    patienceMs: PATIENCE_MS,
    signal: options.signal,
  });
  const signal = AbortSignal.any([options.signal, lock.lost]);
  const unneeded = await search(storage, { ...options, signal });
  return await sweep({ ...options, storage, unneeded, lock, signal });
}

async function search(storage: StorageFiles, options: DirectorySweep): Promise<Unneeded> {
  const { entries, since } = await options.registryLock.needed();
  const pinned = new Map<string, Set<string>>();
  for (const { repository, digest } of [...entries, ...(options.pinned ?? [])])
    pinned.set(repository, (pinned.get(repository) ?? new Set()).add(digest));
  return survey(storage, {
    ...options,
    pinned,
    kept: new Set(entries.map(({ digest }) => digest)),
    keptBetween: { from: new Date(options.now().getTime() - UNKNOWN_MS), to: since },
  });
}

function sumOf({ manifests, blobs }: Unneeded, { line }: DirectorySweep): SweptDirectory {
  const swept = { manifests: 0, blobs: blobs.size, bytes: 0 };
  for (const [repository, { digests }] of manifests) {
    swept.manifests += digests.size;
    for (const digest of digests) line(`${repository}: untagged manifest ${digest}`);
  }
  for (const [digest, { size }] of blobs) {
    swept.bytes += size;
    line(`blob eligible for deletion: ${digest}`);
  }
  return swept;
}

interface Sweeping extends DirectorySweep {
  storage: StorageFiles;
  unneeded: Unneeded;
  lock: BatchedLock;
}

async function sweep(sweeping: Sweeping): Promise<SweptDirectory> {
  const { storage, unneeded, lock, signal } = sweeping;
  const swept: SweptDirectory = { manifests: 0, blobs: 0, bytes: 0 };
  for (let isLeft = true; isLeft; ) {
    let many: Touched[] = [];
    {
      await using pause = await lock.pause({ patienceMs: PATIENCE_MS, signal });
      if (pause.touched.length > TOUCHED_AT_ONCE) many = pause.touched;
      else {
        await keepTouched(storage, unneeded, pause.touched);
        isLeft = await sweepBatch({ ...sweeping, pause, swept });
      }
    }
    await keepTouched(storage, unneeded, many);
    if (isLeft) await sleepUnless(signal, BETWEEN_BATCHES_MS);
  }
  return swept;
}

interface Batch extends Sweeping {
  pause: WritePause;
  swept: SweptDirectory;
}

/** @returns whether anything is left */
async function sweepBatch(batch: Batch): Promise<boolean> {
  for (const end = Date.now() + BATCH_MS; Date.now() < end; )
    if (!((await sweepManifests(batch)) || (await sweepBlobs(batch)))) return false;
  return true;
}

/** @throws unavailable `GATE_LOST`; the signal's reason */
function assertPaused({ signal, pause }: Batch): void {
  signal.throwIfAborted();
  if (!pause.isSafe())
    throw unavailable('GATE_LOST', 'a batch took so long that writes may come again');
}

/** One step. @returns false where nothing is left */
async function sweepManifests(batch: Batch): Promise<boolean> {
  const { unneeded, storageDir, swept, forget, line } = batch;
  const [next] = unneeded.manifests;
  if (next === undefined) return false;
  const [repository, { digests }] = next;
  const step = firstOf(digests);
  assertPaused(batch);
  // A manifest that is left without rows is deleted by the next run; a row would be left for ever.
  if (step.length > 0) await forget(repository, step);
  for (const digest of step) {
    assertPaused(batch);
    removeManifestLink(storageDir, repository, digest);
    line(`${repository}: untagged manifest ${digest}`);
    digests.delete(digest);
    swept.manifests += 1;
  }
  if (digests.size === 0) unneeded.manifests.delete(repository);
  return true;
}

/** As `sweepManifests`. The manifests that referenced the blobs are gone. */
async function sweepBlobs(batch: Batch): Promise<boolean> {
  const { unneeded, storageDir, swept, line } = batch;
  const step = firstOf(unneeded.blobs);
  for (const [digest, { size }] of step) {
    assertPaused(batch);
    if (isDigest(digest)) removeBlob(storageDir, digest);
    line(`blob eligible for deletion: ${digest}`);
    unneeded.blobs.delete(digest);
    swept.blobs += 1;
    swept.bytes += size;
  }
  // The lock is renewed between the steps.
  await setImmediate();
  return step.length > 0;
}

function firstOf<T>(all: Iterable<T>): T[] {
  const first: T[] = [];
  for (const each of all) {
    if (first.push(each) === STEP) break;
  }
  return first;
}
