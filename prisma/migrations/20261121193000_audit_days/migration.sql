-- Words by day instead of words alone: a search walks the days (packages/store/src/audit-search-walk.ts). A key is
-- 48 bits of the word's hash before 16 of the day, so that a word's days lie side by side.
CREATE FUNCTION "audit_day_words"("words" TEXT[], "day" DATE) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg((hashtextextended(word, 0) << 16) | ((day - DATE '1970-01-01') & 65535)) FROM unnest(words) word
$$;
DROP INDEX "audit_events_words_idx";
-- Without fastupdate: its list of what is new would be read anew for each day.
CREATE INDEX "audit_events_day_words_idx" ON "audit_events"
  USING GIN ("audit_day_words"("words", ("at" AT TIME ZONE 'UTC')::date)) WITH (fastupdate = off);
