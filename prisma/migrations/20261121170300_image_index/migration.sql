-- CreateTable
CREATE TABLE "local_repositories" (
    "name" TEXT NOT NULL,
    "namespace" TEXT NOT NULL,
    "tag_count" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "local_repositories_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "local_manifests" (
    "repository" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "artifact_type" TEXT,
    "subject" TEXT,
    "size" INTEGER NOT NULL,
    "total_size" BIGINT NOT NULL,
    "platforms" TEXT[],
    "pushed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "local_manifests_pkey" PRIMARY KEY ("repository","digest")
);

-- CreateTable
CREATE TABLE "local_contents" (
    "repository" TEXT NOT NULL,
    "parent" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "is_manifest" BOOLEAN NOT NULL,

    CONSTRAINT "local_contents_pkey" PRIMARY KEY ("repository","parent","digest")
);

-- CreateTable
CREATE TABLE "local_tags" (
    "repository" TEXT NOT NULL,
    "tag" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "local_tags_pkey" PRIMARY KEY ("repository","tag")
);

-- CreateIndex
CREATE INDEX "local_repositories_namespace_idx" ON "local_repositories"("namespace");

-- CreateIndex
CREATE INDEX "local_contents_repository_digest_idx" ON "local_contents"("repository", "digest");

-- CreateIndex
CREATE INDEX "local_contents_digest_idx" ON "local_contents"("digest");

-- CreateIndex
CREATE INDEX "local_tags_repository_digest_idx" ON "local_tags"("repository", "digest");

-- CreateIndex
CREATE INDEX "local_tags_repository_updated_at_tag_idx" ON "local_tags"("repository", "updated_at" DESC, "tag");

-- CreateIndex
CREATE INDEX "local_tags_digest_idx" ON "local_tags"("digest");

-- AddForeignKey
ALTER TABLE "local_manifests" ADD CONSTRAINT "local_manifests_repository_fkey" FOREIGN KEY ("repository") REFERENCES "local_repositories"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "local_contents" ADD CONSTRAINT "local_contents_repository_parent_fkey" FOREIGN KEY ("repository", "parent") REFERENCES "local_manifests"("repository", "digest") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "local_tags" ADD CONSTRAINT "local_tags_repository_fkey" FOREIGN KEY ("repository") REFERENCES "local_repositories"("name") ON DELETE CASCADE ON UPDATE CASCADE;
