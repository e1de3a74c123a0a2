/** What is known of a tag or digest of a mirror, and what an upstream answers about it. */
import type { JobStatus } from '../job/job-status.ts';
import type { JobError } from '../job/staging-job.ts';

/** Why an upstream told no digest. `gone`: it says that there is none. */
export interface UpstreamFault {
  code: string;
  /** With the upstream's own words. */
  message: string;
  gone: boolean;
}

export type UpstreamAnswer = { digest: string } | { fault: UpstreamFault };

/** One reference of a repository of a mirror, as it was at the last check. */
export interface MirrorTag {
  repository: string;
  /** A tag or a digest. */
  reference: string;
  /** What the upstream last named; null before it did. */
  upstreamDigest: string | null;
  /** What passed here last. */
  goodDigest: string | null;
  /** What it was copied from at the upstream: another digest where the index was reduced. */
  goodSource: string | null;
  /** Why the last check told nothing; null where it did. */
  fault: UpstreamFault | null;
  /** What was brought in last in place of an `upstreamDigest` that is too young. */
  ripeDigest: string | null;
  /** The job that brings in `upstreamDigest`, or `ripeDigest`. */
  jobId: string | null;
  /** The account that the last job was made for. */
  requestedById: string | null;
  /** The digest of the upstream for which `mirror.last_good` was recorded. */
  announced: string | null;
  /** Whether the upstream is to be asked again. */
  isDue: boolean;
}

/** The part of a staging job that tells how far it brings a digest in. */
export interface BringIn {
  id: string;
  ownerId: string;
  status: JobStatus;
  error: JobError | null;
  /** What it reads at the upstream. */
  sourceDigest: string | null;
  /** What it wrote; another one where the index was reduced. */
  digest: string | null;
  updatedAt: Date;
}

/** The digest at the upstream that the content here is a copy of. */
export function sourceOfHere(
  here: string | null,
  tag: Pick<MirrorTag, 'goodDigest' | 'goodSource'> | null,
): string | null {
  return here !== null && here === tag?.goodDigest ? (tag.goodSource ?? here) : here;
}

/** Whether an answer adds nothing to what is kept. */
export function isAsBefore(
  tag: Pick<MirrorTag, 'upstreamDigest' | 'fault'> | null,
  answer: UpstreamAnswer,
): answer is { digest: string } {
  return 'digest' in answer && tag?.fault === null && tag.upstreamDigest === answer.digest;
}

const FAULT_PAUSE_SECONDS = 60;

/**
 * For how many seconds an answer counts: that a tag is withdrawn is one as well. Another fault
 * counts shortly: the upstream may be back.
 */
export function secondsUntilDue(answer: UpstreamAnswer, checkMinutes: number): number {
  const usual = checkMinutes * 60;
  const isAnswered = 'digest' in answer || answer.fault.gone;
  return isAnswered ? usual : Math.min(FAULT_PAUSE_SECONDS, usual);
}
