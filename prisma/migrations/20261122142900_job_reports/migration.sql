-- runs-since: 20261121193000_audit_days
-- The full reports of a job's scan, compressed and in parts: the api serves them and has no DATA_DIR.
CREATE TABLE "job_reports" (
    "job_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "job_reports_pkey" PRIMARY KEY ("job_id", "name", "part")
);

ALTER TABLE "job_reports" ADD CONSTRAINT "job_reports_job_id_fkey"
  FOREIGN KEY ("job_id") REFERENCES "staging_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
