-- Jobs that copy an index as it is for some platforms, and which manifests of an index its report covers.
-- runs-since: 20261128000000_init

ALTER TABLE "staging_jobs" ADD COLUMN "keep_index" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "image_reports" ADD COLUMN "parts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
