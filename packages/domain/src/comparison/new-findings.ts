/** Which vulnerabilities of a staging job its previous scan did not find. */
import type { JobStatus } from '../job/job-status.ts';
import type { TimelineEntry } from '../job/timeline.ts';
import type { Vulnerability } from '../policy/vulnerability.ts';
import { compareFindings } from './findings.ts';

const AFTER_SCAN: readonly JobStatus[] = ['staged', 'push_queued'];
const WITH_RESULT: readonly TimelineEntry['kind'][] = ['status_changed', 'scan_reused'];

/** When the scans of a job that have a result ended, the oldest first. */
export function scanTimes(timeline: readonly TimelineEntry[]): Date[] {
  return timeline
    .filter(({ status, kind }) => AFTER_SCAN.includes(status) && WITH_RESULT.includes(kind))
    .map(({ at }) => at);
}

/** What was known of an image at `time`. What is not in `firstSeen` was known before. */
export function findingsUntil(
  findings: readonly Vulnerability[],
  firstSeen: ReadonlyMap<string, Date>,
  time: Date,
): Vulnerability[] {
  return findings.filter(({ id }) => (firstSeen.get(id) ?? time) <= time);
}

/** Ids of the vulnerabilities that the previous scan did not find, the worst first. */
export function newFindings(
  previous: readonly Vulnerability[],
  present: readonly Vulnerability[],
): string[] {
  const { changes } = compareFindings(previous, present);
  return changes.flatMap(({ kind, id }) => (kind === 'new' ? [id] : []));
}
