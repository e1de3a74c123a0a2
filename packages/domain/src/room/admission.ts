/**
 * Which pulls may begin on a disk. A pull is admitted with all of its blobs, so that no two of them
 * stop half way because each holds what the other needs.
 */

/** A pull that was refused. */
export interface WaitingPull {
  jobId: string;
  /** When the job was created, in milliseconds. */
  createdAt: number;
  /** What it needs. */
  bytes: number;
  /** When it was first refused. */
  refusedAt: number;
}

export interface EnteringPull {
  jobId: string;
  createdAt: number;
  bytes: number;
}

export interface Room {
  /** Free bytes of the disk, without those that stay free for scans and other programs. */
  bytes: number;
  /** Bytes that pulls of all workers were admitted for, and have not written yet. */
  promised: number;
  waiting: readonly WaitingPull[];
  now: number;
}

/**
 * So long, younger pulls leave the room of the oldest that waits. It ends, because the room for a
 * large one may never come while jobs are staged.
 */
const PRECEDENCE_MS = 10 * 60_000;

/** The bytes that are missing for the pull; 0 or less: it may begin. */
export function missingRoom(pull: EnteringPull, room: Room): number {
  const { bytes, promised } = room;
  return pull.bytes + promised + (oldestBefore(pull, room)?.bytes ?? 0) - bytes;
}

function oldestBefore(
  pull: Pick<EnteringPull, 'jobId' | 'createdAt'>,
  { waiting, now }: Pick<Room, 'waiting' | 'now'>,
): WaitingPull | undefined {
  return waiting
    .filter((other) => other.jobId !== pull.jobId && isOlder(other, pull))
    .filter(({ refusedAt }) => now - refusedAt < PRECEDENCE_MS)
    .toSorted((one, other) => (isOlder(one, other) ? -1 : 1))[0];
}

type Aged = Pick<EnteringPull, 'jobId' | 'createdAt'>;

function isOlder(one: Aged, other: Aged): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.jobId < other.jobId;
}

const SHORTEST_PAUSE_S = 5;
const LONGEST_PAUSE_S = 60;

/** Seconds until a refused pull asks again: soon at first, because running jobs free their room. */
export function pauseOfPull({ refusedAt }: Pick<WaitingPull, 'refusedAt'>, now: number): number {
  const waited = (now - refusedAt) / 1000;
  return Math.min(LONGEST_PAUSE_S, Math.max(SHORTEST_PAUSE_S, Math.round(waited / 4)));
}
