-- The dashboard counts what ended in the last days (packages/store/src/figures.ts).
CREATE INDEX "staging_jobs_updated_at_idx" ON "staging_jobs"("updated_at");
