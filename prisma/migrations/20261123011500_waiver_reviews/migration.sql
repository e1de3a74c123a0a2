-- runs-since: 20261121193000_audit_days
-- The author of an imported OpenVEX document, and who rejected or revoked a waiver, when and why.
ALTER TABLE "waivers" ADD COLUMN "vex_author" TEXT,
ADD COLUMN "closed_by" TEXT,
ADD COLUMN "closed_at" TIMESTAMPTZ(3),
ADD COLUMN "closed_reason" TEXT;
