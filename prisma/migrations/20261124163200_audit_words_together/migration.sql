-- runs-since: 20261121193000_audit_days
-- The words of a batch of events enter the index together, which takes a third of the time: the archive cleans the list
-- of those that are new after each batch (packages/store/src/audit/archive-events.ts).
ALTER INDEX "audit_events_day_words_idx" SET (fastupdate = on);
