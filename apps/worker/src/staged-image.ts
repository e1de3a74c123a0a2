/** A job's image as later stages find it: whole in its layout, or its manifests alone with the blobs at the source. */
import type { StagingJob } from '@portcullis/domain';
import {
  type CopyProgress,
  copy,
  type Descriptor,
  isImageConfigType,
  parseManifest,
  readWhole,
  type Source,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import type { Attempt } from './attempt.ts';
import type { Disk } from './disk.ts';
import { bring, holds, inTwoPlaces, onDemand } from './on-demand.ts';
import { progressOf } from './stages/pull.ts';

export interface StagedImagePorts {
  disk: Pick<Disk, 'layout' | 'manifests'>;
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  concurrency: number;
  maxManifestBytes: number;
}

export interface StagedImages {
  image(job: StagingJob): Promise<Source>;
  /** Fetches what a pull left at the source. */
  complete(attempt: Staging): Promise<void>;
  /**
   * Of an image whose blobs are still at the source, fetches the configurations: beside the manifests they are all that
   * a scanner reads of layers that it remembers. Their directory; null where the whole image is here.
   */
  skeleton(attempt: Staging): Promise<string | null>;
}

type Staging = Pick<Attempt, 'job' | 'signal' | 'report'>;

export function stagedImages(ports: StagedImagePorts): StagedImages {
  const { disk } = ports;

  async function image(job: StagingJob): Promise<Source> {
    const layout = await disk.layout(job.id);
    if (await holds(layout, job.digest ?? '')) return layout;
    const manifests = await disk.manifests(job.id);
    return onDemand({ manifests, blobs: layout, source: await ports.source(job) });
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
    await copy(inTwoPlaces(await disk.manifests(id), source), digest, layout, options);
  }

  async function skeleton({ job, signal }: Staging): Promise<string | null> {
    const { id, digest } = job();
    if (digest === null || (await holds(await disk.layout(id), digest))) return null;
    const manifests = await disk.manifests(id);
    const source = await ports.source(job());
    for (const config of await configurations(manifests))
      await bring(config, { source, to: manifests }, { signal });
    return manifests.dir;
  }

  return { image, complete, skeleton };
}

async function configurations(layout: Layout): Promise<Descriptor[]> {
  const found: Descriptor[] = [];
  for (const manifest of await layout.manifests()) {
    const bytes = await readWhole(await layout.fetch(manifest), manifest);
    const document = parseManifest(bytes, manifest.mediaType);
    if (document.kind === 'manifest' && isImageConfigType(document.config.mediaType))
      found.push(document.config);
  }
  return found;
}
