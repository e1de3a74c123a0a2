-- runs-since: 20261121193000_audit_days
-- Whether an image passes only because waivers cover what would block it. Releases that don't know the column leave it.
ALTER TABLE "image_standings" ADD COLUMN "waived" BOOLEAN NOT NULL DEFAULT FALSE;
-- Those that a waiver may cover are judged again, so that the column says it of them.
UPDATE "image_standings" s SET "stale" = TRUE
 WHERE "passes" AND EXISTS (
   SELECT 1 FROM "image_findings" f JOIN "waivers" w ON w."vulnerability" = f."vulnerability" AND w."state" = 'approved'
    WHERE f."digest" = s."digest");
