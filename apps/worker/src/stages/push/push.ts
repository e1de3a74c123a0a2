/**
 * Push: the job's image → its destination, by the digest that was scanned and to the repository
 * that was checked. The verdict is of now: the policy of the destination judges the findings again,
 * and after an update of the vulnerability database the job is scanned again first.
 */
import {
  applyPolicy,
  isOutdated,
  lastScanFailed,
  type Outcome,
  type Push,
  type ScanPolicy,
  type StagingJob,
  scanWanted,
} from '@portcullis/domain';
import { INDEX_REFUSED } from '@portcullis/domain/mirror';
import { conflict, isAppError } from '@portcullis/errors';
import type { EnteringImage, JudgedPush } from '@portcullis/gate';
import {
  type CopyOptions,
  type CopyResult,
  copy,
  type Descriptor,
  isDigest,
  parseDigest,
  type Source,
  type Target,
  withErrorSide,
} from '@portcullis/oci';
import { reducedSelection, selectionOf } from '../../lazy/selection.ts';
import type { StageAttempt } from '../../pipeline/attempt.ts';
import { progressOf } from '../pull/pull.ts';

export interface PushPorts {
  policy(): Promise<ScanPolicy>;
  /**
   * Build time of the vulnerability database that a scan would use now; null where no scan can run.
   */
  database(): Promise<string | null>;
  now(): Date;
  /** Checks rights and gate as they are now, and opens the destination. @throws forbidden */
  destination(job: StagingJob, push: Push): Promise<PushDestination>;
  /**
   * The pulled image. Blobs that are still at the source need the rights that the owner has now.
   */
  image(job: StagingJob): Promise<Source>;
  /** The registry takes no index without all of its manifests. */
  refusedSparse(job: StagingJob, error: unknown): void;
  concurrency: number;
  maxManifestBytes: number;
}

export interface PushDestination {
  target: Target;
  /** Where other platforms are brought in later; elsewhere an index would never be whole. */
  isMirror: boolean;
  /** What of the image may be copied there. */
  readable(image: Source): Source;
  /**
   * Runs what stores the image and records it.
   * @throws conflict `QUOTA_EXCEEDED` before blobs are moved
   */
  entering<T>(image: EnteringImage, work: () => Promise<T>): Promise<T>;
  /** The newest decision of the gate. */
  judged(): Pick<JudgedPush, 'bypassed' | 'waivers' | 'explanation'>;
  /** Repositories of the same registry that have the blob and that the account may read. */
  mountFrom(descriptor: Descriptor): Promise<string[]>;
  /** Records the locations of the blobs for later mounts. */
  pushed(): Promise<void>;
}

/** Databases appear a few times a day. More scans only happen where workers have different ones. */
const MOST_SCANS = 10;

export async function push(attempt: StageAttempt, ports: PushPorts): Promise<Outcome> {
  if (await isScanWanted(attempt, ports)) return { kind: 'scan_wanted' };
  const job = attempt.job();
  const order = job.pushes.at(-1);
  if (!order || job.digest === null)
    throw conflict('PUSH_UNKNOWN', 'the job has nothing to push, or nowhere to push it to');
  const [pulled, destination] = await Promise.all([
    ports.image(job),
    ports.destination(job, order),
  ]);
  const image = destination.readable(pulled);
  const digest = parseDigest(job.digest);
  // An image that is no longer in DATA_DIR is read from its source.
  const root = await withErrorSide('source', () =>
    image.resolve(digest, { signal: attempt.signal }),
  );
  const copied = await destination.entering({ root, source: image }, async () => {
    const result = await copyTo(destination, { image, root, job }, ports, {
      root,
      // What was asked for by its digest gets no tag.
      targetTag: isDigest(order.tag) ? undefined : order.tag,
      mountFrom: destination.mountFrom,
      includeReferrers: job.withReferrers,
      sparseTarget: order.kind === 'local',
      concurrency: ports.concurrency,
      maxManifestBytes: ports.maxManifestBytes,
      signal: attempt.signal,
      onProgress: (progress) => attempt.report(progressOf('push', progress), progress.bytesMounted),
    });
    await destination.pushed();
    return result;
  });
  const { bypassed, waivers, explanation } = destination.judged();
  return {
    kind: 'pushed',
    digest: copied.root.digest,
    bytesMounted: copied.bytesMounted,
    referrersLeft: copied.leftBehind,
    bypassed,
    waivers,
    decision: explanation,
  };
}

interface Pushed {
  image: Source;
  root: Descriptor;
  job: StagingJob;
}

/** An index that is to be kept, and can't be, is reduced to the platforms that were brought in. */
async function copyTo(
  { target, isMirror }: PushDestination,
  { image, root, job }: Pushed,
  ports: PushPorts,
  options: CopyOptions,
): Promise<CopyResult> {
  const reduced = await reducedSelection(job, { image, root, limits: ports });
  const copyAs = (selection: CopyOptions) =>
    copy(image, root.digest, target, { ...options, ...selection });
  if (reduced.platforms === undefined) return copyAs({});
  if (!isMirror) return copyAs(reduced);
  const kept = selectionOf(job);
  try {
    // What is missing may have been collected meanwhile: the second copy looks for it again.
    return await copyAs(kept).catch((error: unknown) => {
      if (isIndexRefusal(error)) return copyAs(kept);
      throw error;
    });
  } catch (error) {
    if (!isIndexRefusal(error)) throw error;
    ports.refusedSparse(job, error);
    // What is asked for by its digest can't have another one.
    if (options.targetTag === undefined) throw refusedIndex(error);
    return copyAs(reduced);
  }
}

function refusedIndex(cause: unknown): Error {
  const message = 'the registry takes no index without all of its platforms';
  return conflict(INDEX_REFUSED, message, { cause, side: 'target' });
}

/** Distribution 2.8, and 3 without the setting, miss the manifests that are not here. */
function isIndexRefusal(error: unknown): boolean {
  if (!isAppError(error) || error.side !== 'target') return false;
  const isRefusal = error.kind === 'invalid' || error.kind === 'not_found';
  return isRefusal || error.code === 'REGISTRY_LACKS_BLOB';
}

/** @throws conflict `SCAN_OUTDATED` */
async function isScanWanted(attempt: StageAttempt, ports: PushPorts): Promise<boolean> {
  const [policy, database] = await Promise.all([ports.policy(), ports.database()]);
  const before = attempt.job();
  const job = applyPolicy(before, policy, ports.now());
  const { verdict, vulnResult, timeline } = job;
  if (job !== before) await attempt.amend({ verdict, vulnResult, timeline });
  if (!scanWanted(policy, job.overrides) || !isOutdated(job, database)) return false;
  const scans = job.pushes.at(-1)?.scans ?? 0;
  // The scan that this push waited for failed; the gate decides on the stored findings.
  if (scans > 0 && lastScanFailed(job)) return false;
  if (scans < MOST_SCANS) return true;
  throw conflict(
    'SCAN_OUTDATED',
    'each scan went by an older vulnerability database than the push; the workers of one DATA_DIR should have one database',
  );
}
