/**
 * What was read of layers that are not cached yet. A layer is read while it is downloaded, so that
 * no verdict waits for it. That is a hint: it counts where what was read are the bytes of the
 * layer's digest, and their `diff_id` is the one that the configuration names. The layer is read
 * again otherwise, whatever the reason.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Descriptor, type Digest, unlessAborted } from '@portcullis/oci';
import type { UnpackedFacts } from './layer-cache.ts';
import { FOLLOWING_THREADS, type LayerThreads } from './layer-threads.ts';
import { unpackBudget } from './unpack-budget.ts';

export interface RecentLayers {
  /**
   * Begins to read the layer from a file that is about to be written; the signal ends it. Does
   * nothing while others are read.
   */
  follow(layer: Descriptor, path: string, lost: AbortSignal): Promise<void>;
  /**
   * Waits for what is being read of the layer. Null where nothing was, or another archive.
   * @throws the signal's reason
   */
  find(digest: Digest, diffId: string, signal: AbortSignal): Promise<UnpackedFacts | null>;
  add(digest: Digest, facts: UnpackedFacts): void;
  forget(digest: Digest): void;
}

/** Some are never scanned; the facts of one may take megabytes. */
const MOST_KEPT = 16;
/** A smaller layer is read as fast afterwards, and most blobs that are no layers are smaller. */
const SMALLEST = 1024 ** 2;
/** As its writer opens it, so that it does not matter which of both does it first. */
const OPENED = constants.O_RDONLY | constants.O_CREAT | constants.O_NOFOLLOW;

export function recentLayers(threads: LayerThreads, maxUnpackedBytes: number): RecentLayers {
  const recent = new Map<Digest, Promise<UnpackedFacts | null>>();
  let following = 0;

  function keep(digest: Digest, reading: Promise<UnpackedFacts | null>): void {
    recent.delete(digest);
    recent.set(digest, reading);
    const [oldest] = recent.keys();
    if (recent.size > MOST_KEPT && oldest) recent.delete(oldest);
  }

  async function read(layer: Descriptor, file: FileHandle, lost: AbortSignal) {
    following += 1;
    try {
      const maxUnpacked = unpackBudget(layer.size, maxUnpackedBytes).bytes;
      return await threads.run('grown', { file, layer, maxUnpacked }, lost);
    } catch {
      return null;
    } finally {
      following -= 1;
      await file.close();
    }
  }

  return {
    async follow(layer, path, lost) {
      if (layer.size < SMALLEST || following >= FOLLOWING_THREADS) return;
      const file = await open(path, OPENED, 0o600).catch(() => null);
      if (file) keep(layer.digest, read(layer, file, lost));
    },
    async find(digest, diffId, signal) {
      const facts = await unlessAborted(recent.get(digest) ?? Promise.resolve(null), signal);
      return facts?.diffId === diffId ? facts : null;
    },
    add: (digest, facts) => keep(digest, Promise.resolve(facts)),
    forget: (digest) => recent.delete(digest),
  };
}
