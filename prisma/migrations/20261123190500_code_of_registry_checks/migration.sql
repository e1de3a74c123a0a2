-- runs-since: 20261121193000_audit_days
-- What failed in the last test of a saved registry.
ALTER TABLE "registries" ADD COLUMN "check_code" TEXT;
