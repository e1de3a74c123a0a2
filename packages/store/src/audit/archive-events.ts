/**
 * Moves audit events to the archive: one statement for the rows, the outbox and the times of pulls,
 * because a busy registry archives thousands of pulls per second.
 */
import { auditWords } from '@portcullis/domain';
import { type Database, run } from '../database.ts';
import type { AuditRecord } from '../port.ts';
import { newestPulls } from './image-pulls.ts';

/** Idempotent: an event that is in the archive stays as it is. */
export async function archiveEvents(db: Database, events: readonly AuditRecord[]): Promise<void> {
  if (events.length === 0) return;
  const rows = JSON.stringify(events.map(toRow));
  const pulls = newestPulls(events);
  await run(
    () => db.$executeRaw`
      WITH given AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS event
               (id uuid, at timestamptz, event text, outcome text, actor_id text, actor text, body jsonb, words text[])),
      archived AS (
        INSERT INTO audit_events (id, at, event, outcome, actor_id, actor, body, words)
        SELECT id, at, event, outcome, actor_id, actor, body, words FROM given
            ON CONFLICT DO NOTHING),
      taken AS (DELETE FROM audit_outbox WHERE id IN (SELECT id FROM given))
      INSERT INTO image_pulls (digest, pulled_at)
      SELECT * FROM unnest(${[...pulls.keys()]}::text[], ${[...pulls.values()]}::timestamptz[])
          ON CONFLICT (digest) DO UPDATE SET pulled_at = excluded.pulled_at
             -- Most images of a busy installation are pulled all the time.
             WHERE image_pulls.pulled_at < excluded.pulled_at - interval '1 hour'`,
  );
}

function toRow(event: AuditRecord) {
  return {
    id: event.id,
    at: event.at,
    event: event.event,
    outcome: event.outcome,
    actor_id: event.actor.id,
    actor: event.actor.name,
    body: event,
    words: auditWords(event),
  };
}
