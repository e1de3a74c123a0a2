-- runs-since: 20261121193000_audit_days
-- The list of jobs is sorted by verdict: each verdict is read apart, newest first.
CREATE INDEX "staging_jobs_verdict_created_at_id_idx" ON "staging_jobs"("verdict", "created_at" DESC, "id" DESC);
