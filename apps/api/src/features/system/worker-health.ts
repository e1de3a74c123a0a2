/** Whether any worker runs. */
import { unavailable } from '@portcullis/errors';

export interface WorkerSigns {
  /** When a worker was seen last; null where none ever was. */
  seen: Date | null;
  /** When this process began to look. */
  started: Date;
  now: Date;
}

/** A worker that is replaced is away for less. */
const AWAY_MS = 30_000;

/**
 * Workers of a new installation start beside this process, which waits as long for the first one.
 * @throws unavailable `NO_WORKER`, with the time at which one was seen last
 */
export function assertWorkers({ seen, started, now }: WorkerSigns): void {
  if (now.getTime() - (seen ?? started).getTime() <= AWAY_MS) return;
  const since = seen === null ? 'none has run yet' : `the last one was seen at ${isoOf(seen)}`;
  throw unavailable('NO_WORKER', `no worker runs: ${since}`);
}

const isoOf = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;
