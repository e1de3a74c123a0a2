-- runs-since: 20261121193000_audit_days
-- How many bytes a folder may hold; null: any number. Releases that don't know the column neither set nor enforce it.
ALTER TABLE "folders" ADD COLUMN "quota_bytes" BIGINT;
-- How much was ever added to a repository: bounds what its folder may have grown since it was summed up. One that was
-- removed and created again begins anew, which the time tells.
ALTER TABLE "local_repositories" ADD COLUMN "added_bytes" BIGINT NOT NULL DEFAULT 0,
                                 ADD COLUMN "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
