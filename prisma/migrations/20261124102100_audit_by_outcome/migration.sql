-- What was denied or failed is rare, and its list must not read what succeeded.
CREATE INDEX "audit_events_outcome_at_id_idx" ON "audit_events"("outcome", "at" DESC, "id" DESC);
