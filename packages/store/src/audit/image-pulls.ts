/**
 * When images were pulled last, from the audit events of pulls. A row is written at most once an
 * hour, because most images of a busy installation are pulled all the time.
 */
import type { Connection } from '../database.ts';
import type { AuditRecord } from '../port.ts';

const PULL_EVENTS: ReadonlySet<string> = new Set(['image.pull', 'image.pulled_blocked']);

export async function rememberPulls(tx: Connection, events: readonly AuditRecord[]): Promise<void> {
  const pulls = newestPulls(events);
  if (pulls.size === 0) return;
  await tx.$executeRaw`
    INSERT INTO image_pulls (digest, pulled_at)
    SELECT * FROM unnest(${[...pulls.keys()]}::text[], ${[...pulls.values()]}::timestamptz[])
    ON CONFLICT (digest) DO UPDATE SET pulled_at = excluded.pulled_at
      WHERE image_pulls.pulled_at < excluded.pulled_at - interval '1 hour'`;
}

/** The time of the newest successful pull of each digest, in a fixed order against deadlocks. */
function newestPulls(events: readonly AuditRecord[]): Map<string, Date> {
  const found = new Map<string, Date>();
  for (const { event, outcome, resource, at } of events) {
    if (!PULL_EVENTS.has(event) || outcome !== 'success' || !resource?.id) continue;
    const time = new Date(at);
    const known = found.get(resource.id);
    if (known === undefined || known < time) found.set(resource.id, time);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}
