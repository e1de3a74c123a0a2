-- Folder names sort by their bytes wherever the database was made: lists are paged in the order they are told in.
ALTER TABLE "folders" ALTER COLUMN "name" TYPE TEXT COLLATE "C";

-- Upper and lower case are one group: nobody can tell `Developers` from `developers` in a grant.
CREATE UNIQUE INDEX "groups_name_lower_key" ON "groups" (lower("name"));
