-- When this installation first saw the image of a job, and sightings of what it has already.
-- runs-since: 20261128000000_init

ALTER TABLE "staging_jobs" ADD COLUMN "sighted_at" TIMESTAMPTZ(3);

-- The last change of a job is after its pull: no image gets older than it is.
UPDATE "staging_jobs" SET "sighted_at" = "updated_at" WHERE "digest" IS NOT NULL;

INSERT INTO "sightings" ("repository", "tag", "digest", "first", "last")
SELECT "repository", '', "digest", "pushed_at", "pushed_at" FROM "local_manifests"
UNION ALL
SELECT "repository", "tag", "digest", "updated_at", "updated_at" FROM "local_tags"
ON CONFLICT DO NOTHING;
