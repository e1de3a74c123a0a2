-- runs-since: 20261121193000_audit_days
-- Globs of tags that are never moved or deleted once they exist. Releases that don't know the column neither set nor
-- enforce it.
ALTER TABLE "folders" ADD COLUMN "immutable_tags" TEXT[] NOT NULL DEFAULT '{}';
