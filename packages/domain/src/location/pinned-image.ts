/** An image name that is pinned to a digest: `registry/repository:tag@digest`. */
import { DOCKER_HUB_HOST, isDigest } from '@portcullis/oci';
import type { StagingJob } from '../job/staging-job.ts';

export interface PinnedImage {
  /** `host[:port]`; Docker Hub is `docker.io`. */
  registry: string;
  repository: string;
  /** Null where the image was requested by digest. */
  tag: string | null;
  digest: string;
}

/** Null while the job has no digest. */
export function pinnedImageOf({
  source,
  image,
  tag,
  digest,
}: Pick<StagingJob, 'source' | 'image' | 'tag' | 'digest'>): PinnedImage | null {
  if (digest === null) return null;
  const isHub = source.host === DOCKER_HUB_HOST;
  return {
    registry: isHub ? 'docker.io' : source.host,
    repository: isHub && !image.includes('/') ? `library/${image}` : image,
    tag: isDigest(tag) ? null : tag,
    digest,
  };
}

/** The same name for a job of which no digest is known. */
export function imageNameOf(job: Parameters<typeof pinnedImageOf>[0]): string {
  const digest = job.digest ?? (isDigest(job.tag) ? job.tag : '');
  const pinned = pinnedImageOf({ ...job, digest });
  return pinned ? formatPinnedImage(pinned).replace(/@$/, '') : '';
}

export function formatPinnedImage({ registry, repository, tag, digest }: PinnedImage): string {
  return `${registry}/${repository}${tag === null ? '' : `:${tag}`}@${digest}`;
}
