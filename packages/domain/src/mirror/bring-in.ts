/** How far a job brings a digest in, and who may. */
import type { Principal } from '../access/principal.ts';
import { isBlocked } from '../job/blocked-job.ts';
import { isSettled, type Push, type StagingJob } from '../job/staging-job.ts';
import { SIGNATURE_CODES } from '../signatures/signature-policy.ts';
import { type Mirror, mayBeMirrored, upstreamRepository } from './mirror.ts';
import type { BringIn, MirrorTag, UpstreamFault } from './mirror-tag.ts';
import type { MirrorTagState } from './tag-state.ts';

/** Whether the account may bring images into the folder of a mirror. */
export function mayBringIn(
  { isAdmin, grants }: Pick<Principal, 'isAdmin' | 'grants'>,
  folder: string,
): boolean {
  return isAdmin || grants.some((grant) => grant.folder === folder && grant.canPullExternal);
}

/** The built-in registry takes no index without all of its platforms. */
export const INDEX_REFUSED = 'INDEX_REFUSED';

/** Whether a digest is to be brought in again, with all platforms of its index. */
export function isRefusedIndex(job: Pick<BringIn, 'error'> | null): boolean {
  return job?.error?.code === INDEX_REFUSED;
}

/**
 * Whether the upstream had the digest no more when its job read it: registries that keep an image
 * by its tags alone lose the one before as soon as a tag moves.
 */
export function isLostUpstream(job: Pick<BringIn, 'status' | 'error'> | null): boolean {
  if (job?.status !== 'failed' || job.error?.side !== 'source') return false;
  return job.error.code === 'NOT_FOUND' || job.error.code.endsWith('_UNKNOWN');
}

export type BringInState = 'begin' | 'wait' | 'done' | 'blocked' | 'failed';

/** A job that failed, whose scan did, or that found no signature is not repeated for each pull. */
const FAILED_COUNTS_MS = 60_000;
/** Vulnerability databases are published every six hours. */
const BLOCKED_COUNTS_MS = 6 * 3_600_000;

interface BringInQuestion {
  digest: string;
  isHere: boolean;
  passes: boolean;
  now: Date;
}

/**
 * @param job the last one, if it was not deleted
 * @param isHere whether the digest is here: what was brought in may have been removed or replaced
 * @param passes whether the gate would let its image pass now, such as by a waiver
 */
export function bringInState(
  job: (BringIn & Pick<StagingJob, 'verdict'>) | null,
  { digest, isHere, passes, now }: BringInQuestion,
): BringInState {
  if (!job || job.sourceDigest !== digest || job.status === 'cancelled') return 'begin';
  if (!isSettled(job.status)) return 'wait';
  if (job.status === 'pushed') return isHere ? 'done' : 'begin';
  if (isRefusedIndex(job)) return 'begin';
  const end = endOfResult(job);
  const isOver = end !== null && now >= end;
  if (isBlocked(job)) return passes || isOver ? 'begin' : 'blocked';
  return isOver ? 'begin' : 'failed';
}

/**
 * From when on a pull begins another job for the same digest. Null where the image is too young:
 * the gate knows its time, and no new scan says more.
 */
export function endOfResult(
  job: Pick<BringIn, 'status' | 'error' | 'updatedAt'> & Pick<StagingJob, 'verdict'>,
): Date | null {
  if (job.error?.code === 'TOO_YOUNG') return null;
  // A scan that failed has judged nothing: the scanner may have its database in a moment. Images
  // are signed after they are pushed, and no upstream tells of it.
  const isUnsigned = SIGNATURE_CODES.some((code) => code === job.error?.code);
  const isJudged = isBlocked(job) && job.verdict !== 'error' && !isUnsigned;
  const counts = isJudged ? BLOCKED_COUNTS_MS : FAILED_COUNTS_MS;
  return new Date(job.updatedAt.getTime() + counts);
}

/**
 * Whether the upstream's digest was looked at and is kept out, or an older one is taken because it
 * is too young. Before that it is on its way.
 */
export function isHeldBack(
  job: Pick<BringIn, 'status' | 'sourceDigest'> | null,
  upstreamDigest: string,
  tag: Pick<MirrorTag, 'ripeDigest'> | null,
): boolean {
  if (!job) return false;
  if (job.sourceDigest === upstreamDigest) return job.status === 'failed';
  return job.sourceDigest !== null && job.sourceDigest === tag?.ripeDigest;
}

/**
 * Whether age alone may keep the upstream's image out. While an older image is taken in its place,
 * no job is about the newest one.
 */
export function mayBeTooYoung({
  state,
  fault,
  job,
}: {
  state: MirrorTagState;
  fault: UpstreamFault | null;
  job: Pick<BringIn, 'error'> | null;
}): boolean {
  if (fault !== null || (state !== 'refused' && state !== 'behind')) return false;
  return job === null || job.error?.code === 'TOO_YOUNG';
}

/**
 * Whether the push of a job writes what a mirror asked for: then it needs the right to bring in,
 * not the right to push. An older digest than the one that is wanted now is not written.
 * @param known of the reference whose present job this is
 */
export function isBringIn(
  { image, sourceDigest, source }: Pick<StagingJob, 'image' | 'sourceDigest' | 'source'>,
  { kind, repository, tag: reference }: Pick<Push, 'kind' | 'repository' | 'tag'>,
  { mirror, tag }: { mirror: Mirror | null; tag: MirrorTag | null },
): boolean {
  if (!mirror || !tag || kind !== 'local') return false;
  if (source.registryId !== mirror.registryId) return false;
  if (tag.repository !== repository || tag.reference !== reference) return false;
  if (image !== upstreamRepository(mirror, repository)) return false;
  const isWanted = sourceDigest === tag.upstreamDigest || sourceDigest === tag.ripeDigest;
  return isWanted && mayBeMirrored(mirror, repository);
}
