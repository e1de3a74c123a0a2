-- Whose signatures are trusted, and what is known of the signatures of each digest.
-- runs-since: 20261128000000_init

CREATE TABLE "authorities" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "document" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "authorities_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "authority_versions" (
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "document" JSONB NOT NULL,
  "saved_by" TEXT NOT NULL,
  "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "authority_versions_pkey" PRIMARY KEY ("name", "version")
);

CREATE TABLE "image_signatures" (
  "digest" TEXT NOT NULL,
  "registry" TEXT NOT NULL,
  "repository" TEXT NOT NULL,
  "facts" JSONB NOT NULL DEFAULT '[]',
  "asked_of" JSONB NOT NULL DEFAULT '{}',
  "root" TEXT,
  "unread" INTEGER NOT NULL DEFAULT 0,
  "is_complete" BOOLEAN NOT NULL DEFAULT true,
  "checked_at" TIMESTAMPTZ(3),
  "noted" INTEGER NOT NULL DEFAULT 0,
  "read" INTEGER NOT NULL DEFAULT 0,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "not_before" TIMESTAMPTZ(3),
  "error" JSONB,
  "lease_until" TIMESTAMPTZ(3),

  CONSTRAINT "image_signatures_pkey" PRIMARY KEY ("digest", "registry", "repository")
);
CREATE INDEX "image_signatures_registry_repository_idx" ON "image_signatures"("registry", "repository");
