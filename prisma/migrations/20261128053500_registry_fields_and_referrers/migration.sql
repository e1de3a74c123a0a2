-- runs-since: 20261121193000_audit_days
-- Token services that may have the login of a saved registry, the namespace of pushes to it, and
-- whether a job fails without its referrers.
ALTER TABLE "registries" ADD COLUMN     "token_hosts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "registries" ADD COLUMN     "push_namespace" TEXT;
ALTER TABLE "staging_jobs" ADD COLUMN     "referrers_required" BOOLEAN NOT NULL DEFAULT false;
