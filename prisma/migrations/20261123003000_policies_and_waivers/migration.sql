-- runs-since: 20261121193000_audit_days
-- Policies of folders and saved registries, waivers, and what passed in which folder.
CREATE TABLE "policies" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "rules" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "policies_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "policies_name_key" ON "policies"("name");

CREATE TABLE "policy_versions" (
  "policy_id" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "rules" JSONB NOT NULL,
  "saved_by" TEXT NOT NULL,
  "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "policy_versions_pkey" PRIMARY KEY ("policy_id", "version"),
  CONSTRAINT "policy_versions_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A policy in use can't be deleted.
ALTER TABLE "folders"
  ADD COLUMN "policy_id" UUID,
  ADD COLUMN "push_gate" TEXT NOT NULL DEFAULT 'report',
  ADD COLUMN "pull_gate" TEXT NOT NULL DEFAULT 'off',
  ADD CONSTRAINT "folders_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "folders_policy_id_idx" ON "folders"("policy_id");
ALTER TABLE "registries"
  ADD COLUMN "policy_id" UUID,
  ADD CONSTRAINT "registries_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "registries_policy_id_idx" ON "registries"("policy_id");

CREATE TABLE "waivers" (
  "id" UUID NOT NULL,
  "vulnerability" TEXT NOT NULL,
  "package" TEXT,
  "repository" TEXT,
  "digest" TEXT,
  "folder_id" UUID,
  "status" TEXT NOT NULL,
  "justification" TEXT,
  "reason" TEXT NOT NULL,
  "ticket" TEXT,
  "vex_document" TEXT,
  "state" TEXT NOT NULL DEFAULT 'requested',
  "requested_by_id" UUID NOT NULL,
  "approvals" JSONB NOT NULL DEFAULT '[]',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "reminded_at" TIMESTAMPTZ(3),
  "expired_at" TIMESTAMPTZ(3),
  CONSTRAINT "waivers_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "waivers_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "waivers_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "waivers_state_created_at_id_idx" ON "waivers"("state", "created_at" DESC, "id" DESC);
CREATE INDEX "waivers_created_at_id_idx" ON "waivers"("created_at" DESC, "id" DESC);
CREATE INDEX "waivers_vulnerability_idx" ON "waivers"("vulnerability");
CREATE INDEX "waivers_folder_id_idx" ON "waivers"("folder_id");
CREATE INDEX "waivers_requested_by_id_idx" ON "waivers"("requested_by_id");

-- What passed where, apart from waivers: the days of grace depend on it.
CREATE TABLE "pass_records" (
  "folder_id" UUID NOT NULL,
  "digest" TEXT NOT NULL,
  "passed_at" TIMESTAMPTZ(3),
  "blocked_at" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "pass_records_pkey" PRIMARY KEY ("folder_id", "digest"),
  CONSTRAINT "pass_records_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "pass_records_digest_idx" ON "pass_records"("digest");

-- What a standing depends on, and the scan it is of; null or of another scan where an older release wrote the row.
ALTER TABLE "image_reports" ADD COLUMN "facts" JSONB;
