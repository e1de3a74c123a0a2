-- CreateTable
CREATE TABLE "referrers" (
    "repository" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "artifact_type" TEXT,
    "size" INTEGER NOT NULL,
    "annotations" JSON,

    CONSTRAINT "referrers_pkey" PRIMARY KEY ("repository","digest")
);

-- CreateIndex
CREATE INDEX "referrers_repository_subject_digest_idx" ON "referrers"("repository", "subject", "digest");
