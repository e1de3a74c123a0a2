/** A job's image as later stages find it: whole in its layout, or its manifests alone with the blobs at the source. */
import type { StagingJob } from '@portcullis/domain';
import { copy, type Source } from '@portcullis/oci';
import type { Attempt } from './attempt.ts';
import type { Disk } from './disk.ts';
import { holds, inTwoPlaces, onDemand } from './on-demand.ts';

export interface StagedImagePorts {
  disk: Pick<Disk, 'layout' | 'manifests'>;
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  concurrency: number;
  maxManifestBytes: number;
}

export interface StagedImages {
  image(job: StagingJob): Promise<Source>;
  complete(attempt: Attempt): Promise<void>;
}

export function stagedImages(ports: StagedImagePorts): StagedImages {
  const { disk } = ports;

  async function image(job: StagingJob): Promise<Source> {
    const layout = await disk.layout(job.id);
    if (await holds(layout, job.digest ?? '')) return layout;
    const manifests = await disk.manifests(job.id);
    return onDemand({ manifests, blobs: layout, source: await ports.source(job) });
  }

  async function complete({ job, signal }: Attempt): Promise<void> {
    const { id, digest, withReferrers } = job();
    const layout = await disk.layout(id);
    if (digest === null || (await holds(layout, digest))) return;
    const { concurrency, maxManifestBytes } = ports;
    const options = { includeReferrers: withReferrers, concurrency, maxManifestBytes, signal };
    // Not by way of `image`: what is on its way into the layout can't be waited for there.
    const source = await ports.source(job());
    await copy(inTwoPlaces(await disk.manifests(id), source.fetch), digest, layout, options);
  }

  return { image, complete };
}
