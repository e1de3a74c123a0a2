/**
 * Finds the image of a job for its scan and its push: complete in its layout, without the layers
 * that its scan skipped, or as manifests alone. Blobs that are not here are read from the source.
 */
import { type StagingJob, sourceReference } from '@portcullis/domain';
import { notFound } from '@portcullis/errors';
import { REDUCED_FROM } from '@portcullis/local-registry';
import {
  type CopyOptions,
  type CopyResult,
  copy,
  type Descriptor,
  type Digest,
  type Source,
  withErrorSide,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import type { Disk } from '../storage/disk.ts';
import { holds, lazySource, splitSource } from './lazy-source.ts';
import type { ManifestHandover } from './manifest-handover.ts';
import { leftOut, selectionOf } from './selection.ts';

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
  /** What its index lists and was not to be copied. */
  absent: readonly Digest[];
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

  /** Without what the job does not bring in: its source may have all of the index. */
  async function image(job: StagingJob): Promise<Source> {
    const whole = await imageOf(job);
    const absent = new Set(await absentIn(whole, job));
    return absent.size > 0 ? withoutManifests(whole, absent) : whole;
  }

  async function imageOf(job: StagingJob): Promise<Source> {
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
    const { id, digest, platforms, keepIndex, withReferrers: includeReferrers } = job;
    const kept = await disk.manifests(id);
    const isKept = () => holds(kept, digest ?? '');
    if (await isKept()) return kept;
    if (platforms === 'all' || keepIndex) return source;
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
    const kept = { ...options, ...selectionOf(job) };
    return copy(image, job.digest ?? '', await disk.layout(job.id), kept);
  }

  async function place(job: StagingJob): Promise<StagedLayout | null> {
    const { id, digest } = job;
    if (digest === null) return null;
    const placeIn = async (layout: Layout, isWhole: boolean) => {
      if (!(await holds(layout, digest))) return null;
      return { dir: layout.dir, isWhole, absent: await absentIn(layout, job) };
    };
    return (await placeIn(await disk.layout(id), true)) ?? placeIn(await disk.sparse(id), false);
  }

  async function absentIn(image: Source, job: StagingJob): Promise<Digest[]> {
    const { digest, keepIndex } = job;
    if (!keepIndex || digest === null) return [];
    const root = await withErrorSide('source', () => image.resolve(digest));
    return leftOut(job, { image, root, limits: ports });
  }

  return { image, complete, place };
}

function withoutManifests(source: Source, absent: ReadonlySet<Digest>): Source {
  return {
    ...source,
    async fetch(descriptor, options) {
      if (absent.has(descriptor.digest))
        throw notFound('MANIFEST_UNKNOWN', `${descriptor.digest} was not brought in`);
      return source.fetch(descriptor, options);
    },
  };
}
