/**
 * Source registry → the job's layout. The tag is resolved once; after that everything goes by digest. Where no scan
 * needs the blobs, for none is wanted or there was one, a transfer takes the manifests alone: the push fetches what
 * its target lacks.
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
  copy,
  type Descriptor,
  isDigest,
  onSide,
  type Source,
  type Target,
} from '@portcullis/oci';
import type { Attempt } from '../attempt.ts';
import { inTwoPlaces } from '../on-demand.ts';

export interface PullPorts {
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  layout(jobId: string): Promise<Target>;
  manifests(jobId: string): Promise<Target>;
  /** For the push that follows at once; null where that is another worker's. */
  handOver: ((jobId: string) => Target) | null;
  policy(): Promise<ScanPolicy>;
  /** Whether it was scanned before, whoever asked for that: the next scan, if there is one, may do without its layers. */
  wasScanned(digest: string): Promise<boolean>;
  concurrency: number;
  maxManifestBytes: number;
}

export async function pull(attempt: Attempt, ports: PullPorts): Promise<Outcome> {
  const job = attempt.job();
  const source = await ports.source(job);
  const root = await onSide('source', () =>
    source.resolve(job.digest ?? job.tag, { signal: attempt.signal }),
  );
  const unscanned = job.auto && !scanWanted(await ports.policy(), job.overrides);
  const manifestsOnly = unscanned || (await mayBeKnown(job, root, ports));
  // An index of some platforms is made here: the source couldn't be asked for it later.
  const handOver = unscanned && job.platforms === 'all' ? ports.handOver : null;
  if (!handOver) await keepDigest(attempt, root);
  const kept = () => (manifestsOnly ? ports.manifests(job.id) : ports.layout(job.id));
  const target = handOver ? handOver(job.id) : await kept();
  const options = copyOptions(attempt, ports);
  const which = { root, platforms: job.platforms, manifestsOnly };
  const { root: pulled, size } = await copy(source, root.digest, target, { ...options, ...which });
  if (manifestsOnly && !unscanned && !(await ports.wasScanned(pulled.digest))) {
    await copy(inTwoPlaces(target, source), pulled.digest, await ports.layout(job.id), options);
  }
  return {
    kind: 'pulled',
    digest: pulled.digest,
    mediaType: pulled.mediaType,
    size,
    unscanned,
  };
}

function copyOptions(attempt: Attempt, { concurrency, maxManifestBytes }: PullPorts): CopyOptions {
  const { tag, withReferrers } = attempt.job();
  return {
    ...(!isDigest(tag) && { targetTag: tag }),
    includeReferrers: withReferrers,
    concurrency,
    maxManifestBytes,
    signal: attempt.signal,
    onProgress: (progress) => attempt.report(progressOf('pull', progress), 0),
  };
}

/** An image of some platforms has a digest of its own, which its manifests tell. */
async function mayBeKnown(
  { auto, platforms }: StagingJob,
  root: Descriptor,
  ports: PullPorts,
): Promise<boolean> {
  return auto && (platforms !== 'all' || ports.wasScanned(root.digest));
}

/** In the row before the first byte is written here: a tag that moves meanwhile changes nothing. */
async function keepDigest(attempt: Attempt, { digest, mediaType }: Descriptor): Promise<void> {
  if (attempt.job().digest === null) await attempt.amend({ digest, mediaType });
}

export function progressOf(
  phase: Progress['phase'],
  { bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate }: CopyProgress,
): Progress {
  return { phase, bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate };
}
