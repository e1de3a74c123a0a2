-- Which images of this registry clusters start, by namespace.
-- runs-since: 20261128000000_init

CREATE TABLE "clusters" (
  "name" TEXT NOT NULL,

  CONSTRAINT "clusters_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "running_images" (
  "cluster" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "running_images_pkey" PRIMARY KEY ("cluster", "namespace", "repository", "digest"),
  CONSTRAINT "running_images_cluster_fkey" FOREIGN KEY ("cluster") REFERENCES "clusters"("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "running_images_repository_digest_idx" ON "running_images"("repository", "digest");
CREATE INDEX "running_images_digest_idx" ON "running_images"("digest");
CREATE INDEX "running_images_cluster_seen_at_idx" ON "running_images"("cluster", "seen_at");
CREATE INDEX "running_images_seen_at_idx" ON "running_images"("seen_at");
