/**
 * Moves audit events to the archive: one statement for the rows, the outbox and the times of pulls,
 * because a busy registry archives thousands of pulls per second.
 */
import { type AuditEvent, auditWords, isBypassEvent, storableJson } from '@portcullis/domain';
import { type Database, run } from '../database.ts';
import { newestPulls } from './image-pulls.ts';

/**
 * Idempotent: an event that is in the archive stays as it is. No text of an event may stop it: the
 * events after it would be lost.
 */
export async function archiveEvents(db: Database, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = storableJson(
    events.map((event) => ({
      body: event,
      words: auditWords(event).join(' '),
      bypassed: isBypassEvent(event),
    })),
  );
  const pulls = storableJson(newestPulls(events));
  await run(
    () => db.$executeRaw`
      WITH given AS MATERIALIZED (
        SELECT (body->>'id')::uuid AS id, body, words, bypassed
          FROM jsonb_to_recordset(${rows}::jsonb) AS event (body jsonb, words text, bypassed boolean)),
      archived AS (
        INSERT INTO audit_events (id, at, event, outcome, actor_id, actor, body, words, bypassed)
        SELECT id, (body->>'at')::timestamptz, body->>'event', body->>'outcome',
               body->'actor'->>'id', body->'actor'->>'name', body, string_to_array(words, ' '), bypassed
          FROM given
            ON CONFLICT DO NOTHING),
      taken AS (DELETE FROM audit_outbox WHERE id IN (SELECT id FROM given))
      INSERT INTO image_pulls (digest, pulled_at, pulled_by)
      SELECT digest, at, by
        FROM jsonb_to_recordset(${pulls}::jsonb) AS pull (digest text, at timestamptz, by text)
          ON CONFLICT (digest) DO UPDATE
         SET pulled_at = excluded.pulled_at, pulled_by = excluded.pulled_by
             -- Most images of a busy installation are pulled all the time.
             WHERE image_pulls.pulled_at < excluded.pulled_at - interval '1 hour'`,
  );
  await indexWords(db);
}

/**
 * Moves the new words from the list at the end of the index into the index, together: a search
 * reads the list once for each day. If it fails, the next batch or the autovacuum does it.
 */
async function indexWords(db: Database): Promise<void> {
  const clean = () =>
    db.$queryRaw`SELECT gin_clean_pending_list('audit_events_day_words_idx'::regclass)`;
  await run(clean).catch(() => {});
}
