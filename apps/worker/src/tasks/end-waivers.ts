/**
 * Records the ends of waivers, reminds requesters before, and tells reviewers about requests; each
 * waiver once.
 */
import { REMINDED_DAYS, WAITING_MINUTES, WAIVER_ENDING, WAIVERS_WAITING } from '@portcullis/domain';
import { type AuditEvent, type AuditLog, systemEvent } from '@portcullis/events';
import type { Store, StoredWaiver } from '@portcullis/store';

export interface EndWaiversPorts {
  waivers: Pick<Store['waivers'], 'takeEnding' | 'takeEnded' | 'takeRequested'>;
  audit: Pick<AuditLog, 'flush'>;
  /** Processes judge images again. */
  changed(): Promise<void>;
  now(): Date;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const GATE = { id: null, name: 'gate' };

export async function endWaivers({ waivers, audit, changed, now }: EndWaiversPorts): Promise<void> {
  const at = now();
  const until = new Date(at.getTime() + REMINDED_DAYS * DAY_MS);
  const ended = await waivers.takeEnded(at, (taken) => taken.map(expired));
  const ending = await waivers.takeEnding(at, until, reminders);
  const since = new Date(at.getTime() - WAITING_MINUTES * MINUTE_MS);
  const requested = await waivers.takeRequested(at, since, waiting);
  if (ended.length + ending.length + requested.length > 0) await audit.flush();
  if (ended.length > 0) await changed();
}

function expired(waiver: StoredWaiver): AuditEvent {
  const { id, vulnerability: name, folder, state } = waiver;
  return systemEvent({
    event: 'waiver.expired',
    outcome: 'success',
    actor: GATE,
    action: 'expire',
    resource: { kind: 'waiver', id, name, ...(folder !== null && { folder }) },
    detail: { ...factsOf(waiver), state, requested_by: waiver.requestedBy },
  });
}

/** One event for each requester. */
function reminders(ending: readonly StoredWaiver[]): AuditEvent[] {
  const byRequester = Map.groupBy(ending, ({ requestedById }) => requestedById);
  return [...byRequester].map(([id, waivers]) =>
    systemEvent({
      event: WAIVER_ENDING,
      outcome: 'success',
      actor: GATE,
      action: 'remind',
      resource: { kind: 'user', id, name: waivers[0]?.requestedBy ?? null },
      detail: { waivers: waivers.map(factsOf) },
    }),
  );
}

function waiting(requested: readonly StoredWaiver[]): AuditEvent[] {
  return [
    systemEvent({
      event: WAIVERS_WAITING,
      outcome: 'success',
      actor: GATE,
      action: 'announce',
      resource: null,
      detail: { waivers: requested.map(factsOf) },
    }),
  ];
}

function factsOf(waiver: StoredWaiver) {
  const { id, vulnerability, folder, repository, digest, expiresAt } = waiver;
  const version = waiver.packageVersion;
  const scope = { package: waiver.package, package_version: version, folder, repository, digest };
  return { id, vulnerability, ...scope, expires_at: expiresAt.toISOString() };
}
