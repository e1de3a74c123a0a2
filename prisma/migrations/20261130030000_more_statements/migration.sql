-- Lists of packages and of vulnerabilities, and promotions, as signed statements.
-- runs-since: 20261128000000_init

ALTER TABLE "image_reports" ADD COLUMN "findings_hash" TEXT;

ALTER TABLE "image_analyses" ADD COLUMN "list_hash" TEXT;

ALTER TABLE "image_statements" ADD COLUMN "left_out" TEXT;

CREATE TABLE "image_promotions" (
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "push_id" UUID NOT NULL,
  "promoted_at" TIMESTAMPTZ(3) NOT NULL,
  "facts" JSONB NOT NULL,

  CONSTRAINT "image_promotions_pkey" PRIMARY KEY ("repository", "digest", "push_id")
);

CREATE INDEX "image_promotions_promoted_at_idx" ON "image_promotions"("promoted_at");
