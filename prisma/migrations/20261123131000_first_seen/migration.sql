-- runs-since: 20261121193000_audit_days
-- Since when an image has a vulnerability, and its title. Null in rows of older releases, whose reports have the date of
-- the scan and the title.
ALTER TABLE "image_findings" ADD COLUMN "first_seen_at" TIMESTAMPTZ(3),
    ADD COLUMN "title" TEXT;
