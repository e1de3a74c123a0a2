-- The order of `tags/list`: pages of a repository with many tags are read without the others.
CREATE INDEX "local_tags_order_idx" ON "local_tags" ("repository", lower("tag") COLLATE "C", "tag" COLLATE "C");
