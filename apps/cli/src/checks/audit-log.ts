import { withOutbox } from '../connections.ts';
import { type DoctorCheck, type DoctorFinding, ok, warn } from './finding.ts';

const ABOUT = 'audit log';
/** Processes publish within a second. */
const LATE_MS = 60_000;

export const checkAuditLog: DoctorCheck = async (call) => [
  auditLogOf(await withOutbox(call, (outbox) => outbox.waiting())),
];

export function auditLogOf({
  count,
  oldestAgeMs,
}: {
  count: number;
  oldestAgeMs: number | null;
}): DoctorFinding {
  if (oldestAgeMs === null || oldestAgeMs < LATE_MS) return ok(ABOUT, 'its events are published');
  const minutes = Math.round(oldestAgeMs / 60_000);
  const message = `${count} event(s) wait in the database, the first for ${minutes} min`;
  return warn(
    ABOUT,
    message,
    'They are published once a process runs that reaches Redis; none is lost.',
  );
}
