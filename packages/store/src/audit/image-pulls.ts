/** When images were pulled last, from the audit events of pulls. */
import type { AuditEvent } from '@portcullis/domain';

const PULL_EVENTS: ReadonlySet<string> = new Set(['image.pull', 'image.pulled_blocked']);

/** The time of the newest successful pull of each digest, in a fixed order against deadlocks. */
export function newestPulls(events: readonly AuditEvent[]): Map<string, Date> {
  const found = new Map<string, Date>();
  for (const { event, outcome, resource, at } of events) {
    if (!PULL_EVENTS.has(event) || outcome !== 'success' || !resource?.id) continue;
    const time = new Date(at);
    const known = found.get(resource.id);
    if (known === undefined || known < time) found.set(resource.id, time);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}
