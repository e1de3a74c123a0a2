/** Facts about a layer, read from its bytes by threads, and cached. */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';
import { tooMuch } from './layer-archive.ts';
import { cacheLayer, readCachedLayer, type UnpackedFacts } from './layer-cache.ts';
import { layerFault } from './layer-fault.ts';
import type { LayerThreads } from './layer-threads.ts';
import type { PackedBytes } from './packed-bytes.ts';
import type { RecentLayers } from './recent-layers.ts';
import { NO_TOC_ANNOTATIONS, type TocAnnotations } from './toc/annotations.ts';
import type { TocVerdict } from './toc/verify.ts';

export interface LayerDirs {
  layoutDir: string;
  /** Directory of the cache. */
  cacheDir: string;
}

export interface LayerContext extends LayerDirs {
  threads: LayerThreads;
  recent: RecentLayers;
}

export interface LayerSubject {
  digest: Digest;
  /** Digest of its archive, as the configuration has it. */
  diffId: string;
  annotations?: TocAnnotations;
}

export interface ReadLimits {
  signal: AbortSignal;
  /** At most this many unpacked bytes are read. */
  maxUnpacked: number;
}

export interface LayerReading extends UnpackedFacts {
  table: TocVerdict;
  /**
   * Caches the layer once its packed bytes are those of its digest. No verdict needs them: the
   * archive is the one that the configuration names. They are read once, at the first call, or by
   * and by where no verdict waits for them.
   * @throws AppError of `layerFault`
   */
  keep(when: 'now' | 'later'): Promise<PackedBytes>;
}

/**
 * @throws too_large `SCAN_TOO_LARGE`, also for a cached layer; what `layerFault` makes of other
 * errors; the signal's reason
 */
export async function readLayer(
  { digest, diffId, annotations = NO_TOC_ANNOTATIONS }: LayerSubject,
  { layoutDir, cacheDir, threads, recent }: LayerContext,
  { signal, maxUnpacked }: ReadLimits,
): Promise<LayerReading> {
  const known = await readCachedLayer(cacheDir, digest);
  if (known && known.unpacked > maxUnpacked) throw tooMuch();
  const judged = known?.tables[annotations.key];
  if (known && judged) return { ...known, table: judged, keep: async () => known };
  const path = pathOfBlob(layoutDir, digest);
  const seen = await recent.find(digest, diffId, signal);
  const reading = { path, maxUnpacked, annotations, known: seen };
  const archive = await threads.run('archive', reading, signal);
  const { table, ...unpacked } = archive;
  recent.add(digest, unpacked);
  const tables = { ...known?.tables, [annotations.key]: table };
  async function cache(when: 'now' | 'later'): Promise<PackedBytes> {
    // The file may be removed meanwhile.
    await using file = await open(path).catch((cause: unknown) => {
      throw layerFault(cause);
    });
    const { closed } = threads;
    if (when === 'later') await wait(LATER_MS, undefined, { ref: false, signal: closed });
    const packed = { file, digest };
    const bytes = await (when === 'later'
      ? threads.runLater(packed)
      : threads.run('packed', packed));
    closed.throwIfAborted();
    await cacheLayer(cacheDir, digest, { ...unpacked, ...bytes, tables });
    recent.forget(digest);
    return bytes;
  }
  let kept: Promise<PackedBytes> | undefined;
  return { ...archive, keep: (when) => (kept ??= cache(when)) };
}

/** The image is pushed and served first. */
const LATER_MS = 1_000;

export function pathOfBlob(layoutDir: string, digest: Digest): string {
  return join(layoutDir, 'blobs', algorithmOf(digest), encodedOf(digest));
}

/** Compressed size of the layer; 0 where it is neither in the layout nor in the cache. */
export async function packedSize(
  digest: Digest,
  { layoutDir, cacheDir }: LayerDirs,
): Promise<number> {
  const found = await stat(pathOfBlob(layoutDir, digest)).catch(() => null);
  return found?.size ?? (await readCachedLayer(cacheDir, digest))?.witness.size ?? 0;
}
