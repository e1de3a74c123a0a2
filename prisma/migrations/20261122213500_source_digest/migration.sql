-- runs-since: 20261121193000_audit_days
-- What a pull reads at the source. `digest` differs where selected platforms were copied: it is then that of the index
-- that the pull wrote, which the source does not have.
ALTER TABLE "staging_jobs" ADD COLUMN "source_digest" TEXT;
