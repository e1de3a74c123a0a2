-- runs-since: 20261121193000_audit_days
-- A run whose worker died is taken over by another one. `attempts` fences late writes; `tries` limits the takeovers.
ALTER TABLE "maintenance_runs"
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0;
