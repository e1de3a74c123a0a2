/**
 * Single flight per digest: concurrent callers in this process share one download. If it is slow
 * while others wait, the next caller takes over with its own source, so that a slow source cannot
 * block callers that have a faster one.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { unlessAborted } from '../copy/concurrency.ts';
import type { PushOptions } from '../copy/content.ts';
import type { TransferMethod } from '../copy/progress.ts';
import type { Digest } from '../model/digest.ts';

export interface SingleFlight {
  /** Waits for a running download to end; undefined if there is none. */
  join(digest: Digest, options: PushOptions): Promise<void> | undefined;
  /**
   * Runs `work` as the only download of this digest. If a waiting caller takes over, it returns
   * early without an error; the bytes received so far are kept and the next caller resumes.
   */
  lead(
    digest: Digest,
    options: PushOptions,
    work: (options: PushOptions) => Promise<void>,
  ): Promise<void>;
}

export interface HandOverRule {
  /**
   * Bytes a download must receive within `withinMs` while another caller waits; otherwise it is
   * handed over.
   */
  bytes: number;
  withinMs: number;
}

/**
 * 1 MiB/s. If every source is slower, the callers alternate at the cost of one request each time.
 */
const HAND_OVER: HandOverRule = { bytes: 30 * 1024 * 1024, withinMs: 30_000 };
/** Time for the waiting caller to become the leader. */
const GIVE_WAY_MS = 1_000;

type Listener = (bytes: number) => void;

interface Download {
  bytes: number;
  /** Aborted by a waiting caller to take over. */
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
  const handOverTimer = setInterval(handOverWhenSlow(download, handOver), handOver.withinMs);
  try {
    await unlessAborted(download.landed, signal);
  } finally {
    clearInterval(handOverTimer);
    download.listeners.delete(listener);
  }
}

function handOverWhenSlow(download: Download, { bytes }: HandOverRule): () => void {
  let before = download.bytes;
  return () => {
    if (download.bytes - before < bytes) download.handedOver.abort();
    before = download.bytes;
  };
}
