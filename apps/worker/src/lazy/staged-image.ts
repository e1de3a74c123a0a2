/**
 * A job's image as later stages find it: whole in its layout; without the layers that its scan was spared; or its
 * manifests alone. What isn't here is at the source.
 */
import type { StagingJob } from '@portcullis/domain';
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
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
}

export interface StagedLayout {
  dir: string;
  /** Nothing was left at the source. */
  isWhole: boolean;
}

export interface StagedImages {
  image(job: StagingJob): Promise<Source>;
  /** Fetches what an earlier pull left at the source. */
  complete(job: StagingJob, options: CopyOptions): Promise<CopyResult>;
  /** Where a scanner finds it; null where there is no more of it than manifests. */
  place(job: StagingJob): Promise<StagedLayout | null>;
}

/** Of blobs that were asked for lately; what is forgotten goes straight through once more. */
const MAX_ASKED = 50_000;

export function stagedImages(ports: StagedImagePorts): StagedImages {
  const { disk, handOver } = ports;
  const asked = new Set<Digest>();

  async function image(job: StagingJob): Promise<Source> {
    const handed = handOver.take(job.id);
    const layout = await disk.layout(job.id);
    if (handed)
      return lazySource({
        manifests: handed,
        blobs: layout,
        source: await ports.source(job),
        straight,
      });
    if (await holds(layout, job.digest ?? '')) return layout;
    const source = await ports.source(job);
    const sparse = await disk.sparse(job.id);
    const blobs = (await holds(sparse, job.digest ?? '')) ? sparse : layout;
    return lazySource({ manifests: await manifestsOf(job, source), blobs, source, straight });
  }

  async function manifestsOf({ id, digest }: StagingJob, source: Source): Promise<Source> {
    const kept = await disk.manifests(id);
    return (await holds(kept, digest ?? '')) ? kept : source;
  }

  async function straight(blob: Descriptor): Promise<boolean> {
    if (asked.has(blob.digest) || (await disk.cache.has(blob))) return false;
    if (asked.size >= MAX_ASKED) asked.clear();
    asked.add(blob.digest);
    return true;
  }

  async function complete(job: StagingJob, options: CopyOptions): Promise<CopyResult> {
    // Not by way of `image`: what is on its way into the layout can't be waited for there.
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
