-- runs-since: 20261121193000_audit_days
-- The directories that images are pulled to (DATA_DIR), and which of them has the image of a job.
CREATE TABLE "storages" (
    "id" UUID NOT NULL,
    "state" JSONB,
    "orphans" JSONB,
    "orphans_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "storages_pkey" PRIMARY KEY ("id")
);

-- Null: of an older release, which knew one directory.
ALTER TABLE "staging_jobs" ADD COLUMN "storage_id" UUID;
