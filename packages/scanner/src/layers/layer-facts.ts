/** Facts about a layer, read from its bytes by threads, and cached. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { algorithmOf, type Digest, encodedOf } from '@portcullis/oci';
import { tooMuch } from './layer-archive.ts';
import { cacheLayer, readCachedLayer, type UnpackedFacts } from './layer-cache.ts';
import type { LayerThreads } from './layer-threads.ts';
import type { PackedBytes } from './packed-bytes.ts';
import { NO_TOC_ANNOTATIONS, type TocAnnotations } from './toc/annotations.ts';
import type { TocVerdict } from './toc/verify.ts';

export interface LayerDirs {
  layoutDir: string;
  /** Directory of the cache. */
  cacheDir: string;
}

export interface LayerContext extends LayerDirs {
  threads: LayerThreads;
}

export interface ReadLimits {
  signal: AbortSignal;
  /** At most this many unpacked bytes are read. */
  maxUnpacked: number;
}

export interface LayerReading extends UnpackedFacts {
  table: TocVerdict;
  /**
   * What needs each packed byte. No verdict does: the archive is the one that the configuration
   * names. It is read afterwards, and the layer is cached once its bytes are those of its digest.
   * @throws AppError of `layerFault`
   */
  packed: Promise<PackedBytes>;
}

/**
 * @throws too_large `SCAN_TOO_LARGE`, also for a cached layer; what `layerFault` makes of other
 * errors; the signal's reason
 */
export async function readLayer(
  digest: Digest,
  { layoutDir, cacheDir, threads }: LayerContext,
  { signal, maxUnpacked }: ReadLimits,
  annotations: TocAnnotations = NO_TOC_ANNOTATIONS,
): Promise<LayerReading> {
  const known = await readCachedLayer(cacheDir, digest);
  if (known && known.unpacked > maxUnpacked) throw tooMuch();
  const judged = known?.tables[annotations.key];
  if (known && judged) return { ...known, table: judged, packed: Promise.resolve(known) };
  const path = pathOfBlob(layoutDir, digest);
  const archive = await threads.run('archive', { path, maxUnpacked, annotations }, signal);
  const { table, ...unpacked } = archive;
  const tables = { ...known?.tables, [annotations.key]: table };
  const packed = threads.run('packed', { path, digest }).then(async (bytes) => {
    await cacheLayer(cacheDir, digest, { ...unpacked, ...bytes, tables });
    return bytes;
  });
  packed.catch(() => {});
  return { ...archive, packed };
}

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
