/**
 * Source registry → the job's layout. The tag is resolved once; after that everything goes by digest. A transfer takes
 * the manifests first, and of the blobs what its scan needs: none, where there is none or its report is known; all but
 * the layers that it may do without; or all, once it has found that it may not. The push fetches what its target lacks.
 */
import {
  type Outcome,
  type Progress,
  type ScanPolicy,
  type StagingJob,
  scanWanted,
} from '@portcullis/domain';
import {
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copy,
  type Descriptor,
  type Digest,
  isDigest,
  type Source,
  type Target,
  withErrorSide,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import { splitSource } from '../../lazy/lazy-source.ts';
import { type FindSkippableLayers, without } from '../../lazy/skippable-layers.ts';
import type { StageAttempt } from '../../pipeline/attempt.ts';

export interface PullPorts {
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  layout(jobId: string): Promise<Target>;
  manifests(jobId: string): Promise<Layout>;
  sparse(jobId: string): Promise<Target>;
  /** For the push that follows at once; null where that is another worker's. */
  handOver: ((jobId: string) => Target) | null;
  policy(): Promise<ScanPolicy>;
  /** Whether its scan is likely to be one that was, so that it needs no blob. */
  hasStoredScan(digest: Digest): Promise<boolean>;
  /** Whether it was scanned, at any time, whoever asked for that. */
  wasScanned(digest: Digest): Promise<boolean>;
  skippableLayers: FindSkippableLayers;
  /** All of the image, of which an earlier pull left some at the source. */
  complete(job: StagingJob, options: CopyOptions): Promise<CopyResult>;
  /** Whether there is room for these blobs. @throws unavailable `DISK_RESERVE` */
  admit(blobs: readonly Descriptor[]): Promise<void>;
  concurrency: number;
  maxManifestBytes: number;
}

export async function pull(attempt: StageAttempt, ports: PullPorts): Promise<Outcome> {
  const job = attempt.job();
  await ports.admit([]);
  if (job.pullMode === 'complete')
    return pulled(await ports.complete(job, copyOptions(attempt, ports)));
  const source = await ports.source(job);
  const root = await withErrorSide('source', () =>
    source.resolve(job.digest ?? job.tag, { signal: attempt.signal, fetching: true }),
  );
  const isLazy = job.pullMode === 'lazy';
  const unscanned = isLazy && !scanWanted(await ports.policy(), job.overrides);
  // An index of some platforms is made here: the source couldn't be asked for it later.
  const handOver = unscanned && job.platforms === 'all' ? ports.handOver : null;
  if (!handOver) await keepDigest(attempt, root);
  const target = handOver
    ? handOver(job.id)
    : await (isLazy ? ports.manifests : ports.layout)(job.id);
  const which = { root, platforms: job.platforms, manifestsOnly: isLazy };
  const copied = await copy(source, root.digest, target, {
    ...copyOptions(attempt, ports),
    ...which,
  });
  if (isLazy && !unscanned)
    await bringForScan(attempt, { source, digest: copied.root.digest }, ports);
  return pulled(copied, unscanned);
}

function pulled(
  { root: { digest, mediaType }, size, leftBehind }: CopyResult,
  unscanned = false,
): Outcome {
  return {
    kind: 'pulled',
    digest,
    mediaType,
    size,
    unscanned,
    referrersLeft: leftBehind.length > 0,
  };
}

async function bringForScan(
  attempt: StageAttempt,
  { source, digest }: { source: Source; digest: Digest },
  ports: PullPorts,
): Promise<void> {
  if (await ports.hasStoredScan(digest)) return;
  const { id } = attempt.job();
  const manifests = await ports.manifests(id);
  const skipProof = await ports.wasScanned(digest);
  const skipped = await ports.skippableLayers({
    manifests,
    source,
    skipProof,
    signal: attempt.signal,
  });
  const target =
    skipped.size > 0 ? without(skipped, await ports.sparse(id)) : await ports.layout(id);
  const admit = (blobs: readonly Descriptor[]) =>
    ports.admit(blobs.filter((blob) => !skipped.has(blob.digest)));
  const options = { ...copyOptions(attempt, ports), admit };
  await copy(splitSource(manifests, source), digest, target, options);
}

function copyOptions(
  attempt: StageAttempt,
  { concurrency, maxManifestBytes, admit }: PullPorts,
): CopyOptions {
  const { tag, withReferrers } = attempt.job();
  return {
    ...(!isDigest(tag) && { targetTag: tag }),
    includeReferrers: withReferrers,
    concurrency,
    maxManifestBytes,
    admit,
    signal: attempt.signal,
    onProgress: (progress) => attempt.report(progressOf('pull', progress), 0),
  };
}

/** In the row before the first byte is written here: a tag that moves meanwhile changes nothing. */
async function keepDigest(attempt: StageAttempt, { digest, mediaType }: Descriptor): Promise<void> {
  if (attempt.job().digest === null) await attempt.amend({ digest, mediaType });
}

export function progressOf(
  phase: Progress['phase'],
  { bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate }: CopyProgress,
): Progress {
  return { phase, bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate };
}
