/**
 * Pull: source registry → the job's layout. The tag is resolved once; later requests use the
 * digest. An eager pull copies the whole image. A lazy one (a transfer's) copies the manifests, and
 * of the blobs only what the scan needs; the push reads the rest from the source.
 */
import {
  type Outcome,
  type Progress,
  type ScanPolicy,
  type StagingJob,
  scanWanted,
  sourceReference,
} from '@portcullis/domain';
import { REDUCED_FROM } from '@portcullis/local-registry';
import {
  type CopyOptions,
  type CopyProgress,
  type CopyResult,
  copy,
  type Descriptor,
  type Digest,
  type Follower,
  isDigest,
  type Source,
  type Target,
  withErrorSide,
} from '@portcullis/oci';
import type { Layout } from '@portcullis/oci/layout';
import { splitSource } from '../../lazy/lazy-source.ts';
import { selectionOf } from '../../lazy/selection.ts';
import { type FindSkippableLayers, omitting } from '../../lazy/skippable-layers.ts';
import type { StageAttempt } from '../../pipeline/attempt.ts';
import type { StagedSignatures } from './staged-signatures.ts';

export interface PullPorts {
  /** Opens the job's source with the rights that its owner has now. @throws forbidden */
  source(job: StagingJob): Promise<Source>;
  /**
   * Whether the source may give this digest to the job's owner.
   * @returns the gate's decision where the owner needed a privilege for it
   * @throws forbidden
   */
  assertLeaves(job: StagingJob, digest: Digest): Promise<object | null>;
  layout(jobId: string): Promise<Target>;
  /** Reads a layer for the scan while it is downloaded. */
  follow(layer: Descriptor, path: string): Promise<Follower | null>;
  /** Says that an image is scanned in a moment. */
  expectScan(image: Descriptor): void;
  manifests(jobId: string): Promise<Layout>;
  sparse(jobId: string): Promise<Target>;
  /** Takes manifests for the push that follows here; null where this worker doesn't push. */
  handOver: ((jobId: string) => Target) | null;
  policy(): Promise<ScanPolicy>;
  /** Whether a stored scan of the digest probably applies, so that no blob is needed. */
  hasStoredScan(digest: Digest): Promise<boolean>;
  /** Keeps what is known of the signatures of the image. */
  readSignatures(job: StagingJob, staged: StagedSignatures): Promise<void>;
  /** Keeps the sighting of the image. @returns when it was first seen here */
  sighted(job: StagingJob, digest: Digest): Promise<Date>;
  /** Whether any account has scanned this digest before. */
  wasScanned(digest: Digest): Promise<boolean>;
  skippableLayers: FindSkippableLayers;
  /** Downloads what an earlier lazy pull left at the source. */
  complete(job: StagingJob, options: CopyOptions): Promise<CopyResult>;
  /** Checks that the disk has space for these blobs. @throws unavailable `DISK_RESERVE` */
  admit(blobs: readonly Descriptor[]): Promise<void>;
  concurrency: number;
  maxManifestBytes: number;
}

export async function pull(attempt: StageAttempt, ports: PullPorts): Promise<Outcome> {
  const job = attempt.job();
  await ports.admit([]);
  if (job.pullMode === 'complete') {
    const decision =
      job.digest !== null && isDigest(job.digest)
        ? await ports.assertLeaves(job, job.digest)
        : null;
    const completed = await ports.complete(job, copyOptions(attempt, ports));
    return pulled(completed, { decision, sightedAt: await sighted(attempt, completed, ports) });
  }
  const source = await ports.source(job);
  const root = await withErrorSide('source', () =>
    source.resolve(sourceReference(job), { signal: attempt.signal, fetching: true }),
  );
  const decision = await ports.assertLeaves(job, root.digest);
  const isLazy = job.pullMode === 'lazy';
  const isScanned = scanWanted(await ports.policy(), job.overrides);
  const unscanned = isLazy && !isScanned;
  // An index of selected platforms is created here, and the source could not serve it later.
  const handOver = unscanned && job.platforms === 'all' ? ports.handOver : null;
  if (!handOver) await keepDigest(attempt, root);
  const target = handOver
    ? handOver(job.id)
    : isLazy
      ? await ports.manifests(job.id)
      : await layoutOf(job.id, isScanned, ports);
  const { platforms, keepIndex } = job;
  const which = { root, platforms, keepIndex, manifestsOnly: isLazy };
  const options = { ...copyOptions(attempt, ports), ...which };
  const expect = () => isScanned && ports.expectScan(root);
  const copied = await copy(
    source,
    root.digest,
    target,
    isLazy ? options : expecting(options, expect),
  );
  if (isLazy && !unscanned) await downloadForScan(attempt, { source, root: copied.root }, ports);
  await withErrorSide('source', () =>
    ports.readSignatures(job, {
      ...{ source, from: root.digest, to: copied.root.digest, signal: attempt.signal },
    }),
  );
  const sightedAt = await sighted(attempt, copied, ports);
  return pulled(copied, { decision, unscanned, sightedAt });
}

function pulled(
  { root: { digest, mediaType }, size, leftBehind }: CopyResult,
  {
    decision,
    sightedAt,
    unscanned = false,
  }: { decision: object | null; sightedAt: Date; unscanned?: boolean },
): Outcome {
  return {
    kind: 'pulled',
    digest,
    mediaType,
    size,
    sightedAt,
    unscanned,
    referrersLeft: leftBehind,
    ...(decision && { decision }),
  };
}

function sighted(
  attempt: StageAttempt,
  { root: { digest } }: CopyResult,
  ports: PullPorts,
): Promise<Date> {
  return ports.sighted(attempt.job(), digest);
}

async function layoutOf(jobId: string, isScanned: boolean, ports: PullPorts): Promise<Target> {
  const layout = await ports.layout(jobId);
  return isScanned ? followed(layout, ports) : layout;
}

/** The same target; its layers are read for the scan meanwhile. */
function followed(target: Target, { follow }: Pick<PullPorts, 'follow'>): Target {
  return {
    ...target,
    push: (descriptor, open, options) =>
      target.push(descriptor, open, { ...options, onFile: (path) => follow(descriptor, path) }),
  };
}

async function downloadForScan(
  attempt: StageAttempt,
  { source, root }: { source: Source; root: Descriptor },
  ports: PullPorts,
): Promise<void> {
  const { digest } = root;
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
    skipped.size > 0
      ? omitting(skipped, followed(await ports.sparse(id), ports))
      : followed(await ports.layout(id), ports);
  const admit = (blobs: readonly Descriptor[]) =>
    ports.admit(blobs.filter((blob) => !skipped.has(blob.digest)));
  const options = { ...copyOptions(attempt, ports), ...selectionOf(attempt.job()), admit };
  const expect = () => ports.expectScan(root);
  await copy(splitSource(manifests, source), digest, target, expecting(options, expect));
}

function copyOptions(
  attempt: StageAttempt,
  { concurrency, maxManifestBytes, admit }: PullPorts,
): CopyOptions {
  const { tag, withReferrers } = attempt.job();
  return {
    ...(!isDigest(tag) && { targetTag: tag }),
    reducedFrom: REDUCED_FROM,
    includeReferrers: withReferrers,
    concurrency,
    maxManifestBytes,
    admit,
    signal: attempt.signal,
    onProgress: (progress) => attempt.report(progressOf('pull', progress), 0),
  };
}

/** What is downloaded within a moment, unless the source is slow. */
const SMALL_BYTES = 16 * 1024 * 1024;

/** Says once that the image is nearly here: at most a second is left, or little from the start. */
function expecting(options: CopyOptions, expect: () => void): CopyOptions {
  let isExpected = false;
  const note = (bytesLeft: number, bytesPerSecond: number) => {
    if (isExpected || bytesLeft > Math.max(SMALL_BYTES, bytesPerSecond)) return;
    isExpected = true;
    expect();
  };
  return {
    ...options,
    async admit(blobs) {
      await options.admit?.(blobs);
      note(
        blobs.reduce((sum, { size }) => sum + size, 0),
        0,
      );
    },
    onProgress(progress) {
      note(progress.bytesTotal - progress.bytesDone, progress.rate);
      options.onProgress?.(progress);
    },
  };
}

/** Saved before the first byte is written: a tag that moves meanwhile has no effect. */
async function keepDigest(attempt: StageAttempt, { digest, mediaType }: Descriptor): Promise<void> {
  const { digest: known, sourceDigest } = attempt.job();
  if (sourceDigest !== null) return;
  await attempt.amend({ sourceDigest: digest, ...(known === null && { digest, mediaType }) });
}

export function progressOf(
  phase: Progress['phase'],
  { bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate }: CopyProgress,
): Progress {
  return { phase, bytesDone, bytesTotal, blobsDone, blobsTotal, bytesReused, rate };
}
