/**
 * What this process is downloading now, so that a second asker waits for the first. Not for as long as that one's
 * source likes, though: else whoever serves a blob slowly would hold up all who could have it from elsewhere.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { PushOptions } from '../copy/content.ts';
import type { TransferMethod } from '../copy/progress.ts';
import { unlessAborted } from '../copy/unless-aborted.ts';
import type { Digest } from '../model/digest.ts';

export interface SingleFlight {
  /** Waits until it has landed or failed; undefined when there is nothing to wait for. */
  join(digest: Digest, options: PushOptions): Promise<void> | undefined;
  /**
   * Runs the work as the one download of this digest. Where a follower grew impatient it ends early, and so without an
   * error: what came so far is kept for whoever goes on with it.
   */
  lead(
    digest: Digest,
    options: PushOptions,
    work: (options: PushOptions) => Promise<void>,
  ): Promise<void>;
}

export interface HandOverRule {
  /** What a download has to bring within `withinMs` while somebody waits for it. */
  bytes: number;
  withinMs: number;
}

/** 1 MiB a second: on a line that is slower for all, two take turns, at the cost of a request each time. */
const HAND_OVER: HandOverRule = { bytes: 30 * 1024 * 1024, withinMs: 30_000 };
/** In which the follower becomes the leader. */
const GIVE_WAY_MS = 1_000;

type Listener = (bytes: number) => void;

interface Download {
  bytes: number;
  /** Aborted by a follower that has waited long enough. */
  handedOver: AbortController;
  listeners: Set<Listener>;
  landed: Promise<void>;
}

export function createSingleFlight(handOver: HandOverRule = HAND_OVER): SingleFlight {
  const downloads = new Map<Digest, Download>();
  return {
    join(digest, options) {
      const download = downloads.get(digest);
      return download && follow(download, options, handOver);
    },
    async lead(digest, options, work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const handedOver = new AbortController();
      const download: Download = { bytes: 0, handedOver, listeners: new Set(), landed: promise };
      downloads.set(digest, download);
      const signal = options.signal
        ? AbortSignal.any([options.signal, handedOver.signal])
        : handedOver.signal;
      try {
        await work({
          signal,
          onBytes: (bytes, method) => spread(download, options, bytes, method),
        });
      } catch (error) {
        if (!handedOver.signal.aborted || options.signal?.aborted) throw error;
      } finally {
        downloads.delete(digest);
        resolve();
      }
      if (handedOver.signal.aborted) await wait(GIVE_WAY_MS, undefined, { signal: options.signal });
    },
  };
}

function spread(
  download: Download,
  options: PushOptions,
  bytes: number,
  method: TransferMethod,
): void {
  download.bytes += bytes;
  options.onBytes?.(bytes, method);
  for (const listener of download.listeners) listener(bytes);
}

async function follow(
  download: Download,
  { signal, onBytes }: PushOptions,
  handOver: HandOverRule,
): Promise<void> {
  const listener: Listener = (bytes) => onBytes?.(bytes, 'reused');
  listener(download.bytes);
  download.listeners.add(listener);
  const impatience = setInterval(urge(download, handOver), handOver.withinMs);
  try {
    await unlessAborted(download.landed, signal);
  } finally {
    clearInterval(impatience);
    download.listeners.delete(listener);
  }
}

function urge(download: Download, { bytes }: HandOverRule): () => void {
  let before = download.bytes;
  return () => {
    if (download.bytes - before < bytes) download.handedOver.abort();
    before = download.bytes;
  };
}
