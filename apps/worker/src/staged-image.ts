/** A job's image as later stages find it: whole in its layout, or its manifests alone with the blobs at the source. */
import type { StagingJob } from '@portcullis/domain';
import { type CopyProgress, copy, type Descriptor, type Digest, type Source } from '@portcullis/oci';
import type { Attempt } from './attempt.ts';
import type { Disk } from './disk.ts';
import type { HandOver } from './hand-over.ts';
import { imagesIn } from './images-in.ts';
import { bring, holds, inTwoPlaces, onDemand } from './on-demand.ts';
import { progressOf } from './stages/pull.ts';

export interface StagedImagePorts {
  disk: Pick<Disk, 'layout' | 'manifests' | 'sparse' | 'cache'>;
  handOver: Pick<HandOver, 'take'>;
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  /** Whether it was, whoever asked for that. */
  wasScanned(digest: string): Promise<boolean>;
  concurrency: number;
  maxManifestBytes: number;
}

export interface StagedImages {
  image(job: StagingJob): Promise<Source>;
  /** Fetches what a pull left at the source. */
  complete(attempt: Staging): Promise<void>;
  /**
   * The directory of an image without the layers that a scanner may remember; null where all of the image is here, or
   * nothing. Of a layer that the account's source has not shown, nothing may be told but what was told of this very
   * digest: what was never scanned has but those left out that the pull was shown.
   */
  skeleton(attempt: Staging): Promise<string | null>;
}

type Staging = Pick<Attempt, 'job' | 'signal' | 'report'>;

/** Of blobs that were asked for lately; what is forgotten goes straight through once more. */
const MAX_ASKED = 50_000;

export function stagedImages(ports: StagedImagePorts): StagedImages {
  const { disk, handOver } = ports;
  const asked = new Set<Digest>();

  async function image(job: StagingJob): Promise<Source> {
    const layout = await disk.layout(job.id);
    const handed = handOver.take(job.id);
    if (!handed && (await holds(layout, job.digest ?? ''))) return layout;
    const source = await ports.source(job);
    const sparse = await disk.sparse(job.id);
    const blobs = (await holds(sparse, job.digest ?? '')) ? sparse : layout;
    return onDemand({ manifests: handed ?? (await manifestsOf(job, source)), blobs, source, straight });
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

  async function complete({ job, signal, report }: Staging): Promise<void> {
    const { id, digest, withReferrers } = job();
    const layout = await disk.layout(id);
    if (digest === null || (await holds(layout, digest))) return;
    const { concurrency, maxManifestBytes } = ports;
    const onProgress = (progress: CopyProgress) => report(progressOf('scan', progress), 0);
    const options = { includeReferrers: withReferrers, concurrency, maxManifestBytes, signal, onProgress };
    // Not by way of `image`: what is on its way into the layout can't be waited for there.
    const source = await ports.source(job());
    await copy(inTwoPlaces(await manifestsOf(job(), source), source), digest, layout, options);
  }

  async function skeleton({ job, signal }: Staging): Promise<string | null> {
    const { id, digest } = job();
    if (digest === null || (await holds(await disk.layout(id), digest))) return null;
    const sparse = await disk.sparse(id);
    if (await holds(sparse, digest)) return sparse.dir;
    const manifests = await disk.manifests(id);
    if (!(await holds(manifests, digest)) || !(await ports.wasScanned(digest))) return null;
    // All that a scanner reads of layers that it remembers.
    const source = await ports.source(job());
    for (const { config } of await imagesIn(manifests, ports))
      await bring(config, { source, to: manifests }, { signal });
    return manifests.dir;
  }

  return { image, complete, skeleton };
}
