/**
 * Source registry → the job's layout. The tag is resolved once; after that everything goes by digest. A transfer takes
 * the manifests first, and of the blobs what its scan needs: none, where none is wanted or there was one; without the
 * layers that the scanner remembers; or all. The push fetches the others, if its target lacks them.
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
import type { Layout } from '@portcullis/oci/layout';
import type { Attempt } from '../attempt.ts';
import { inTwoPlaces } from '../on-demand.ts';
import { type SparedLayers, without } from '../spared-layers.ts';

export interface PullPorts {
  /** The job's source, opened with the rights its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  layout(jobId: string): Promise<Target>;
  manifests(jobId: string): Promise<Layout>;
  sparse(jobId: string): Promise<Target>;
  /** For the push that follows at once; null where that is another worker's. */
  handOver: ((jobId: string) => Target) | null;
  policy(): Promise<ScanPolicy>;
  /** Whether it was scanned before, whoever asked for that: the next scan, if there is one, may do without its layers. */
  wasScanned(digest: string): Promise<boolean>;
  sparedLayers: SparedLayers;
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
  // An index of some platforms is made here: the source couldn't be asked for it later.
  const handOver = unscanned && job.platforms === 'all' ? ports.handOver : null;
  if (!handOver) await keepDigest(attempt, root);
  const target = handOver ? handOver(job.id) : await (job.auto ? ports.manifests : ports.layout)(job.id);
  const which = { root, platforms: job.platforms, manifestsOnly: job.auto };
  const options = copyOptions(attempt, ports);
  const { root: pulled, size } = await copy(source, root.digest, target, { ...options, ...which });
  if (job.auto && !unscanned && !(await ports.wasScanned(pulled.digest)))
    await bringForScan(attempt, { source, digest: pulled.digest }, ports);
  return {
    kind: 'pulled',
    digest: pulled.digest,
    mediaType: pulled.mediaType,
    size,
    unscanned,
  };
}

async function bringForScan(
  attempt: Attempt,
  { source, digest }: { source: Source; digest: string },
  ports: PullPorts,
): Promise<void> {
  const { id } = attempt.job();
  const manifests = await ports.manifests(id);
  const spared = await ports.sparedLayers({ manifests, source, signal: attempt.signal });
  const target = spared.size > 0 ? without(spared, await ports.sparse(id)) : await ports.layout(id);
  await copy(inTwoPlaces(manifests, source), digest, target, copyOptions(attempt, ports));
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
