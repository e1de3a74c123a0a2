/** When images were pulled last, from the audit events of pulls. */
import type { AuditEvent } from '@portcullis/domain';

const PULL_EVENTS: ReadonlySet<string> = new Set(['image.pull', 'image.pulled_blocked']);

export interface NewestPull {
  digest: string;
  at: Date;
  /** A username. */
  by: string;
}

/** The newest successful pull of each digest, in a fixed order against deadlocks. */
export function newestPulls(events: readonly AuditEvent[]): NewestPull[] {
  const found = new Map<string, NewestPull>();
  for (const { event, outcome, resource, at, actor } of events) {
    if (!PULL_EVENTS.has(event) || outcome !== 'success' || !resource?.id) continue;
    const pull = { digest: resource.id, at: new Date(at), by: actor.name };
    const known = found.get(pull.digest);
    if (known === undefined || known.at < pull.at) found.set(pull.digest, pull);
  }
  return [...found.values()].sort((one, other) => (one.digest < other.digest ? -1 : 1));
}
