/**
 * Finds the image of a job for its scan and its push: complete in its layout, without the layers
 * that its scan skipped, or as manifests alone. Blobs that are not here are read from the source.
 */
import { type StagingJob, sourceReference } from '@portcullis/domain';
import { REDUCED_FROM } from '@portcullis/local-registry';
import {
  type CopyOptions,
  type CopyResult,
  copy,
  type Descriptor,
  type Digest,
  type Source,
} from '@portcullis/oci';
import type { Disk } from '../storage/disk.ts';
import { holds, lazySource, splitSource } from './lazy-source.ts';
import type { ManifestHandover } from './manifest-handover.ts';

export interface StagedImagePorts {
  disk: Pick<Disk, 'layout' | 'manifests' | 'sparse' | 'cache'>;
  handOver: Pick<ManifestHandover, 'take'>;
  /** Opens the job's source with the rights that its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  maxManifestBytes: number;
}

export interface StagedLayout {
  dir: string;
  /** Whether no layer was left at the source. */
  isWhole: boolean;
}

export interface StagedImages {
  image(job: StagingJob): Promise<Source>;
  /** Downloads what an earlier lazy pull left at the source. */
  complete(job: StagingJob, options: CopyOptions): Promise<CopyResult>;
  /** The layout to scan; null where only manifests are here. */
  place(job: StagingJob): Promise<StagedLayout | null>;
}

/** Blobs that were read before. A blob that was dropped from the set is streamed once more. */
const MAX_REMEMBERED = 50_000;

export function stagedImages(ports: StagedImagePorts): StagedImages {
  const { disk, handOver } = ports;
  const readBefore = new Set<Digest>();

  async function image(job: StagingJob): Promise<Source> {
    const handed = handOver.take(job.id);
    const layout = await disk.layout(job.id);
    if (handed)
      return lazySource({
        manifests: handed,
        blobs: layout,
        source: await ports.source(job),
        isFirstRead,
      });
    if (await holds(layout, job.digest ?? '')) return layout;
    const source = await ports.source(job);
    const sparse = await disk.sparse(job.id);
    const blobs = (await holds(sparse, job.digest ?? '')) ? sparse : layout;
    return lazySource({ manifests: await manifestsOf(job, source), blobs, source, isFirstRead });
  }

  async function manifestsOf(job: StagingJob, source: Source): Promise<Source> {
    const { id, digest, platforms, withReferrers: includeReferrers } = job;
    const kept = await disk.manifests(id);
    const isKept = () => holds(kept, digest ?? '');
    if (await isKept()) return kept;
    if (platforms === 'all') return source;
    // The source may not have the index of selected platforms, so it is written here again.
    await copy(source, sourceReference(job), kept, {
      platforms,
      reducedFrom: REDUCED_FROM,
      includeReferrers,
      manifestsOnly: true,
      maxManifestBytes: ports.maxManifestBytes,
    });
    return (await isKept()) ? kept : source;
  }

  async function isFirstRead(blob: Descriptor): Promise<boolean> {
    if (readBefore.has(blob.digest) || (await disk.cache.has(blob))) return false;
    if (readBefore.size >= MAX_REMEMBERED) readBefore.clear();
    readBefore.add(blob.digest);
    return true;
  }

  async function complete(job: StagingJob, options: CopyOptions): Promise<CopyResult> {
    // Not through `image`: a blob that is being written to the layout can't be read from there.
    const source = await ports.source(job);
    const image = splitSource(await manifestsOf(job, source), source);
    return copy(image, job.digest ?? '', await disk.layout(job.id), options);
  }

  async function place({ id, digest }: StagingJob): Promise<StagedLayout | null> {
    if (digest === null) return null;
    const layout = await disk.layout(id);
    if (await holds(layout, digest)) return { dir: layout.dir, isWhole: true };
    const sparse = await disk.sparse(id);
    return (await holds(sparse, digest)) ? { dir: sparse.dir, isWhole: false } : null;
  }

  return { image, complete, place };
}
