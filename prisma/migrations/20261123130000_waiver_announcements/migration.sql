-- runs-since: 20261121193000_audit_days
-- When reviewers were told about a requested waiver, several at a time.
ALTER TABLE "waivers" ADD COLUMN "announced_at" TIMESTAMPTZ(3);
