/**
 * Content-addressed blob cache on disk, shared by all processes of a machine: `<dir>/<alg>/<hex>`,
 * with incomplete downloads in `<dir>/partial/`. Layouts hard-link to it, so the link count of a
 * blob tells how many use it. A blob under its digest is complete and verified and is not hashed
 * again.
 */
import { lstat, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content, FetchOptions, Follower, OpenContent, PushOptions } from '../copy/content.ts';
import { sizeMismatch } from '../copy/content-errors.ts';
import type { TransferMethod } from '../copy/progress.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { algorithmOf, type Digest, encodedOf } from '../model/digest.ts';
import { fillBlob, isWrongContent } from './blob-writer.ts';
import { fileContent } from './file-content.ts';
import { acquire } from './file-lock.ts';
import { linkOrCopy } from './link-or-copy.ts';
import { adoptPartial, releasePartial, stemOf } from './partial.ts';
import { type Pruned, type PruneOptions, prune } from './prune.ts';
import { createSingleFlight, type HandOverRule } from './single-flight.ts';
import { movingWithin, type SpaceClaim, type SpaceClaims, withinClaim } from './space.ts';
import { storageError, unlessMissing } from './storage-error.ts';

export interface BlobCache {
  readonly dir: string;
  has(descriptor: Descriptor): Promise<boolean>;
  fetch(descriptor: Descriptor, options?: FetchOptions): Promise<Content>;
  /**
   * Stores the blob unless it is present. Concurrent callers in this and other processes wait for
   * one download; if it fails, the next caller resumes it.
   */
  store(descriptor: Descriptor, open: OpenContent, options?: PushOptions): Promise<void>;
  /** Hard-links the blob to a path; false if the blob is not in the cache. */
  link(descriptor: Descriptor, path: string): Promise<boolean>;
  /**
   * Removes blobs without links and partial files without a writer, if older than the given age.
   */
  prune(options: PruneOptions): Promise<Pruned>;
}

const DIRS = ['sha256', 'sha512', 'partial'];

export interface BlobCacheOptions {
  handOver?: HandOverRule | undefined;
  space?: SpaceClaims | undefined;
}

export function openBlobCache(dir: string, { handOver, space }: BlobCacheOptions = {}): BlobCache {
  const partialDir = join(dir, 'partial');
  const downloads = createSingleFlight(handOver);
  let ready: Promise<unknown> | undefined;

  const pathOf = (digest: Digest) => join(dir, algorithmOf(digest), encodedOf(digest));
  const prepare = () => {
    ready ??= Promise.all(DIRS.map((name) => mkdir(join(dir, name), { recursive: true })));
    return ready;
  };
  const has = (descriptor: Descriptor) => isBlob(pathOf(descriptor.digest), descriptor);

  const download = async (descriptor: Descriptor, open: OpenContent, options: PushOptions) => {
    await prepare();
    const { digest } = descriptor;
    const lock = await acquire(
      join(partialDir, `${stemOf(digest)}.lock`),
      () => has(descriptor),
      options.signal,
    );
    try {
      if (lock && !(await has(descriptor))) await receive(descriptor, open, options);
    } finally {
      await lock?.release();
    }
  };

  const receive = async (descriptor: Descriptor, open: OpenContent, options: PushOptions) => {
    const { digest } = descriptor;
    const path = await adoptPartial(partialDir, digest);
    let claim: SpaceClaim | undefined;
    let follower: Follower | null = null;
    try {
      claim = await claimRest(path, descriptor);
      follower = (await options.onFile?.(path)) ?? null;
      await write(path, descriptor, { open, claim, follower, options });
      // The file is gone if another process took it over because it considered this one dead. Then
      // `store` checks again.
      await unlessMissing(rename(path, pathOf(digest)));
    } catch (error) {
      follower?.lost();
      if (isWrongContent(error) || isFull(error)) await rm(path, { force: true });
      else await releasePartial(partialDir, digest, path);
      throw error;
    } finally {
      claim?.release();
    }
  };

  const claimRest = async (path: string, { size, digest }: Descriptor) => {
    const kept = (await unlessMissing(lstat(path)))?.size ?? 0;
    return space?.claim(Math.max(0, size - kept), digest);
  };

  return {
    dir,
    has,
    fetch: (descriptor, options) => fileContent(pathOf(descriptor.digest), descriptor, options),
    async store(descriptor, open, options = {}) {
      const counted = counting(descriptor, options);
      try {
        while (!(await has(descriptor))) {
          options.signal?.throwIfAborted();
          counted.begin();
          await (downloads.join(descriptor.digest, counted) ??
            downloads.lead(descriptor.digest, counted, (spread) =>
              download(descriptor, open, { ...options, ...spread }),
            ));
        }
      } catch (error) {
        throw storageError(error);
      }
      counted.rest();
    },
    async link(descriptor, path) {
      if (!(await has(descriptor))) return false;
      return linkOrCopy(pathOf(descriptor.digest), path);
    },
    prune: (options) => prune(dir, options),
  };
}

function write(
  path: string,
  descriptor: Descriptor,
  from: {
    open: OpenContent;
    claim: SpaceClaim | undefined;
    follower: Follower | null;
    options: PushOptions;
  },
): Promise<void> {
  const { open, claim, options } = from;
  const follower = from.follower ?? undefined;
  if (claim === undefined) return fillBlob(path, descriptor, open, { ...options, follower });
  const move = options.move && movingWithin(options.move, claim);
  return fillBlob(path, descriptor, withinClaim(open, claim), { ...options, follower, move });
}

/** @throws invalid `SIZE_MISMATCH`: the digest matches, so the size in the descriptor is wrong */
export async function isBlob(path: string, descriptor: Descriptor): Promise<boolean> {
  const stat = await unlessMissing(lstat(path));
  if (!stat?.isFile()) return false;
  if (stat.size !== descriptor.size) throw sizeMismatch(descriptor);
  return true;
}

function isFull(error: unknown): boolean {
  const wrapped = storageError(error);
  return wrapped instanceof Error && 'code' in wrapped && wrapped.code === 'STORAGE_FULL';
}

/**
 * Reports each byte of the blob once, whichever caller transfers it: a caller that follows a
 * download, takes it over and hands it back meets the same bytes several times. What this caller
 * did not transfer itself is reused.
 */
function counting({ size }: Descriptor, { signal, onBytes }: PushOptions) {
  let counted = 0;
  let position = 0;
  return {
    signal,
    /** The next bytes are counted from the beginning of the blob. */
    begin() {
      position = 0;
    },
    onBytes(bytes: number, method: TransferMethod) {
      position += bytes;
      const fresh = Math.min(position, size) - counted;
      if (fresh <= 0) return;
      counted += fresh;
      onBytes?.(fresh, method);
    },
    rest() {
      if (counted < size) onBytes?.(size - counted, 'reused');
    },
  };
}
