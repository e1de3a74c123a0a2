-- runs-since: 20261121193000_audit_days
-- Until when a blocked image is still served.
ALTER TABLE "image_standings" ADD COLUMN "grace_until" TIMESTAMPTZ(3);
