/**
 * Removes layouts of jobs that are deleted or in another storage, then blobs without a hard link.
 */
import { readdir } from 'node:fs/promises';
import type { BlobCache } from '@portcullis/oci/layout';
import type { Logger } from '@portcullis/runtime';
import { type DiscardPorts, discard, isJobId } from './discard.ts';

export interface PrunePorts extends DiscardPorts {
  cache: Pick<BlobCache, 'prune'>;
  olderThanMs: number;
  signal: AbortSignal;
  log: Pick<Logger, 'info'>;
}

export async function pruneCache({
  cache,
  olderThanMs,
  signal,
  log,
  ...ports
}: PrunePorts): Promise<void> {
  for (const name of await readdir(ports.stagingDir)) {
    signal.throwIfAborted();
    // Names that are not job ids are left alone.
    if (isJobId(name)) await discard(name, ports);
  }
  const { blobs, bytes } = await cache.prune({ olderThanMs, signal });
  if (blobs > 0) log.info({ blobs, bytes }, 'unused blobs removed');
}
