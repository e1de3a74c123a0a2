/**
 * What was read of layers that are not cached yet. A layer is read while it is downloaded, so that
 * no verdict waits for it. That is a hint: it counts where what was read has the seal of what was
 * written and verified, and its `diff_id` is the one that the configuration names. The layer is
 * read again otherwise, whatever the reason.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Descriptor, type Digest, type Follower, unlessAborted } from '@portcullis/oci';
import { createSealKey, isSameSeal } from '@portcullis/oci/layout';
import type { UnpackedFacts } from './layer-cache.ts';
import type { GrownTask } from './layer-thread.ts';
import { FOLLOWING_THREADS, type LayerThreads } from './layer-threads.ts';
import { unpackBudget } from './unpack-budget.ts';

export interface RecentLayers {
  /** Begins to read the layer from a file that is about to be written. Null: it is not read. */
  follow(layer: Descriptor, path: string): Promise<Follower | null>;
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

  /** `written`: the seal of what was verified. */
  async function read(task: GrownTask, written: Promise<Uint8Array>, lost: AbortSignal) {
    following += 1;
    try {
      const [{ facts, seal }, verified] = await Promise.all([
        threads.run('grown', task, lost),
        written,
      ]);
      return isSameSeal(seal, verified) ? facts : null;
    } catch {
      return null;
    } finally {
      following -= 1;
      await task.file.close();
    }
  }

  return {
    async follow({ digest, size }, path) {
      if (size < SMALLEST || following >= FOLLOWING_THREADS) return null;
      const file = await open(path, OPENED, 0o600).catch(() => null);
      if (!file) return null;
      const key = createSealKey();
      const written = Promise.withResolvers<Uint8Array>();
      const lost = new AbortController();
      lost.signal.addEventListener('abort', () => written.reject(lost.signal.reason));
      const maxUnpacked = unpackBudget(size, maxUnpackedBytes).bytes;
      const task = { file, size, sealKey: key, maxUnpacked };
      keep(digest, read(task, written.promise, lost.signal));
      return { key, written: written.resolve, lost: () => lost.abort() };
    },
    async find(digest, diffId, signal) {
      const facts = await unlessAborted(recent.get(digest) ?? Promise.resolve(null), signal);
      return facts?.diffId === diffId ? facts : null;
    },
    add: (digest, facts) => keep(digest, Promise.resolve(facts)),
    forget: (digest) => recent.delete(digest),
  };
}
