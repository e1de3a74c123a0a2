-- Which gaps the newest scan of a digest left, so that what waits for the index of Java archives is found by a fact.
ALTER TABLE "image_reports" ADD COLUMN "gaps" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- Digests of tags that are scanned again after an update of the vulnerability database, from their first try on.
CREATE TABLE "image_rescans" (
    "digest" TEXT NOT NULL,
    "db_updated_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "error" JSONB,
    "tried_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "image_rescans_pkey" PRIMARY KEY ("digest")
);
