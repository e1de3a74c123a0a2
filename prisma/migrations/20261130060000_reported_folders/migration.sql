-- Of which folders the newest report of a cluster speaks.
-- runs-since: 20261128000000_init

ALTER TABLE "clusters" ADD COLUMN "folders" JSONB;
