/** How many jobs of a transfer are loaded at once, and when they are loaded again. */
import type { FeedState } from '../../live/feed.ts';

/** As many jobs are loaded without being asked for, so that the urgent ones are first. */
export const AT_ONCE = 1000;
/** While events arrive, a fallback for missed ones. */
const JOBS_MS = { live: 60_000, connecting: 5_000, polling: 5_000 };
/** At most this often where there are more: they need a request for each page. */
const MANY_JOBS_MS = 60_000;

export function jobsMs(feed: FeedState, loaded: number): number {
  return loaded > AT_ONCE ? MANY_JOBS_MS : JOBS_MS[feed];
}
