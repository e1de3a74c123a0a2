-- What agents report of the pods of their clusters, apart from what the webhook admitted.
-- runs-since: 20261128000000_init

ALTER TABLE "clusters" ADD COLUMN "reporter_id" UUID,
  ADD COLUMN "reported_at" TIMESTAMPTZ(3),
  ADD COLUMN "not_known" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "clusters" ADD CONSTRAINT "clusters_reporter_id_fkey" FOREIGN KEY ("reporter_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "reported_images" (
  "cluster" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,

  CONSTRAINT "reported_images_pkey" PRIMARY KEY ("cluster", "namespace", "repository", "digest"),
  CONSTRAINT "reported_images_cluster_fkey" FOREIGN KEY ("cluster") REFERENCES "clusters"("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "reported_images_repository_digest_idx" ON "reported_images"("repository", "digest");
CREATE INDEX "reported_images_digest_idx" ON "reported_images"("digest");
