-- What this installation states about images, signed and stored beside them.
-- runs-since: 20261128000000_init

ALTER TABLE "folders" ADD COLUMN "statements" TEXT NOT NULL DEFAULT 'off';

ALTER TABLE "image_standings"
  ADD COLUMN "policy_version" TEXT,
  ADD COLUMN "policy_digest" TEXT,
  ADD COLUMN "waivers" TEXT[] NOT NULL DEFAULT '{}';

CREATE TABLE "image_statements" (
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "about" TEXT NOT NULL DEFAULT '',
  "says" TEXT,
  "manifest" TEXT,
  "key_id" TEXT,
  "signed_at" TIMESTAMPTZ(3),
  "leftover" TEXT[] NOT NULL DEFAULT '{}',
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "not_before" TIMESTAMPTZ(3),
  "error" JSONB,
  "lease_until" TIMESTAMPTZ(3),

  CONSTRAINT "image_statements_pkey" PRIMARY KEY ("repository", "digest", "kind", "about")
);
