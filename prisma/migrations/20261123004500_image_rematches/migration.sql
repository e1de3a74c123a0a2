-- runs-since: 20261121193000_audit_days

-- What Trivy found in layers and configurations, by the keys of its cache in Redis: a flushed Redis loses nothing.
CREATE TABLE "scan_analyses" (
    "key" TEXT NOT NULL,
    "diff_id" TEXT,
    "content" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scan_analyses_pkey" PRIMARY KEY ("key")
);

-- It is compressed already.
ALTER TABLE "scan_analyses" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE INDEX "scan_analyses_diff_id_idx" ON "scan_analyses"("diff_id");

CREATE TABLE "image_analyses" (
    "digest" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "image" JSONB NOT NULL,
    "keys" TEXT[],
    "packages" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "image_analyses_pkey" PRIMARY KEY ("digest")
);

CREATE TABLE "image_rematches" (
    "id" TEXT NOT NULL,
    "db_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "renewed_at" TIMESTAMPTZ(3) NOT NULL,
    "matched" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "worked_ms" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "image_rematches_pkey" PRIMARY KEY ("id")
);
