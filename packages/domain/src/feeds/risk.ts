/** By which vulnerabilities are ordered that need a decision first. */
import type { ThreatFeeds } from './threat-feeds.ts';

/** Above every probability, and above that of none. */
const EXPLOITED = 3;
const NO_PROBABILITY = -1;

/**
 * Those that are known to be exploited are above all others, then the more probable ones. Null
 * where no feed says anything.
 */
export function riskOf(id: string, { kev, epss }: ThreatFeeds): number | null {
  const probability = epss?.score(id) ?? null;
  if (kev?.has(id) === true) return EXPLOITED + (probability ?? NO_PROBABILITY);
  return probability;
}
