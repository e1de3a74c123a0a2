-- CreateTable
CREATE TABLE "maintenance_runs" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "options" JSONB NOT NULL DEFAULT '{}',
    "result" JSONB NOT NULL DEFAULT '{}',
    "error" JSONB,
    "log_tail" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "requested_by" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "worker_id" TEXT,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "maintenance_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "image_reports" (
    "digest" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "critical" INTEGER NOT NULL,
    "high" INTEGER NOT NULL,
    "medium" INTEGER NOT NULL,
    "low" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,
    "fixable" INTEGER NOT NULL,
    "scanner_version" TEXT NOT NULL,
    "db_updated_at" TEXT,
    "scanned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "image_reports_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "image_findings" (
    "digest" TEXT NOT NULL,
    "vulnerability" TEXT NOT NULL,
    "package" TEXT NOT NULL,
    "installed_version" TEXT NOT NULL,
    "fixed_version" TEXT,
    "severity" TEXT NOT NULL,

    CONSTRAINT "image_findings_pkey" PRIMARY KEY ("digest","vulnerability","package","installed_version")
);

-- CreateTable
CREATE TABLE "image_scans" (
    "id" UUID NOT NULL,
    "registry_id" TEXT NOT NULL,
    "repository" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" JSONB,
    "requested_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "image_scans_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "maintenance_runs_kind_requested_at_idx" ON "maintenance_runs"("kind", "requested_at" DESC);

-- CreateIndex
CREATE INDEX "image_reports_scanned_at_idx" ON "image_reports"("scanned_at");

-- CreateIndex
CREATE INDEX "image_findings_vulnerability_digest_idx" ON "image_findings"("vulnerability", "digest");

-- CreateIndex
CREATE INDEX "image_findings_package_digest_idx" ON "image_findings"("package", "digest");

-- CreateIndex
CREATE INDEX "image_scans_registry_id_repository_created_at_id_idx" ON "image_scans"("registry_id", "repository", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "image_scans_state_created_at_idx" ON "image_scans"("state", "created_at");

-- CreateIndex
CREATE INDEX "image_scans_digest_idx" ON "image_scans"("digest");

-- CreateIndex
CREATE INDEX "image_scans_requested_by_id_idx" ON "image_scans"("requested_by_id");

-- AddForeignKey
ALTER TABLE "image_findings" ADD CONSTRAINT "image_findings_digest_fkey" FOREIGN KEY ("digest") REFERENCES "image_reports"("digest") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "image_scans" ADD CONSTRAINT "image_scans_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


