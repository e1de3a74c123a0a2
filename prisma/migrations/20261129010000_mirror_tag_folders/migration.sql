-- The tags of one mirror are found by its folder.
-- runs-since: 20261128000000_init

CREATE INDEX "mirror_tags_folder_idx" ON "mirror_tags"(split_part("repository", '/', 1));
