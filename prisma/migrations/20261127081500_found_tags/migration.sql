-- runs-since: 20261121193000_audit_days
-- Whether reconciliation found the tag, at updated_at: when it was pushed is not known. Releases that don't know the column
-- leave it; retention rules, which read it, are newer.
ALTER TABLE "local_tags" ADD COLUMN "found" BOOLEAN NOT NULL DEFAULT FALSE;
