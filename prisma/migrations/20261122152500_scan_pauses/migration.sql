-- runs-since: 20261121193000_audit_days
-- Tries of a scan on demand, and when the next may begin. `attempts` fences late writes and never goes back; these do.
ALTER TABLE "image_scans"
  ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "not_before" TIMESTAMPTZ(3);
