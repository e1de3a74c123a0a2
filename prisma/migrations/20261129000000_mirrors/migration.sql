-- Folders with an upstream, what is known of their tags, and when digests were first seen.
-- runs-since: 20261128000000_init

CREATE TABLE "mirrors" (
  "folder_id" UUID NOT NULL,
  "registry_id" UUID,
  "prefix" TEXT NOT NULL DEFAULT '',
  "allow" TEXT[] NOT NULL DEFAULT ARRAY['*']::TEXT[],
  "platforms" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  "check_minutes" INTEGER NOT NULL DEFAULT 60,
  "keep_days" INTEGER NOT NULL DEFAULT 90,

  CONSTRAINT "mirrors_pkey" PRIMARY KEY ("folder_id"),
  CONSTRAINT "mirrors_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "mirrors_registry_id_fkey" FOREIGN KEY ("registry_id") REFERENCES "registries"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "mirrors_registry_id_idx" ON "mirrors"("registry_id");

CREATE TABLE "mirror_tags" (
  "repository" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "upstream_digest" TEXT,
  "good_digest" TEXT,
  "good_source" TEXT,
  "good_at" TIMESTAMPTZ(3),
  "checked_at" TIMESTAMPTZ(3),
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "fault" JSONB,
  "job_id" UUID,
  "requested_by_id" UUID,
  "announced" TEXT,
  "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "mirror_tags_pkey" PRIMARY KEY ("repository", "reference"),
  CONSTRAINT "mirror_tags_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "staging_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "mirror_tags_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "mirror_tags_due_at_idx" ON "mirror_tags"("due_at");
CREATE INDEX "mirror_tags_job_id_idx" ON "mirror_tags"("job_id");
CREATE INDEX "mirror_tags_requested_by_id_idx" ON "mirror_tags"("requested_by_id");

CREATE TABLE "sightings" (
  "repository" TEXT NOT NULL,
  "tag" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "first" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "sightings_pkey" PRIMARY KEY ("repository", "tag", "digest")
);
CREATE INDEX "sightings_digest_idx" ON "sightings"("digest");
