-- Words of each event, which the search goes by (packages/store/src/audit-list.ts).
ALTER TABLE "audit_events" ADD COLUMN "words" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "audit_events_words_idx" ON "audit_events" USING GIN ("words");

-- The whole order of the list: with less of it, a filter is answered by a walk through all that was done since.
DROP INDEX "audit_events_actor_at_idx";
DROP INDEX "audit_events_event_at_idx";
CREATE INDEX "audit_events_actor_at_id_idx" ON "audit_events"("actor", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_event_at_id_idx" ON "audit_events"("event", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_actor_event_at_id_idx" ON "audit_events"("actor", "event", "at" DESC, "id" DESC);
