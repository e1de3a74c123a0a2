-- runs-since: 20261121193000_audit_days
-- Which tags of a folder are removed; null: none. Releases that don't know the column neither set nor apply it.
ALTER TABLE "folders" ADD COLUMN "retention" JSONB;
-- The last run of each folder's rule.
CREATE TABLE "retention_runs" (
    "folder_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "requested_by" TEXT,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "rule" JSONB,
    "cursor" TEXT,
    "repositories" INTEGER NOT NULL DEFAULT 0,
    "tags_kept" INTEGER NOT NULL DEFAULT 0,
    "tags_removed" INTEGER NOT NULL DEFAULT 0,
    "tags_failed" INTEGER NOT NULL DEFAULT 0,
    "error" JSONB,

    CONSTRAINT "retention_runs_pkey" PRIMARY KEY ("folder_id")
);
ALTER TABLE "retention_runs" ADD CONSTRAINT "retention_runs_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
