/** Which of the new vulnerabilities the overview names. */
import type { GateChanges } from '@portcullis/contract';

export type NamedVulnerability = GateChanges['vulnerabilities'][number];

const MOST_NAMED = 8;

/** The first ones, and all that are known to be exploited; the API has these on top. */
export function firstOfNew(vulnerabilities: readonly NamedVulnerability[]): NamedVulnerability[] {
  return vulnerabilities.filter(({ kev }, at) => at < MOST_NAMED || kev === true);
}
