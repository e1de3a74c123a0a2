-- DropIndex
DROP INDEX "staging_jobs_transfer_id_idx";

-- AlterTable
ALTER TABLE "staging_jobs" ADD COLUMN     "with_referrers" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "transfers" (
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "schedule_id" UUID,
    "order" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transfers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfer_selections" (
    "transfer_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "cursor" TEXT,
    "tags_seen" INTEGER NOT NULL DEFAULT 0,
    "jobs_made" INTEGER NOT NULL DEFAULT 0,
    "error" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "transfer_selections_pkey" PRIMARY KEY ("transfer_id","position")
);

-- CreateTable
CREATE TABLE "transfer_schedules" (
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "request" JSONB NOT NULL,
    "order" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_at" TIMESTAMPTZ(3),
    "last_transfer_id" UUID,
    "last_error" JSONB,

    CONSTRAINT "transfer_schedules_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "transfers_owner_id_created_at_id_idx" ON "transfers"("owner_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transfers_created_at_id_idx" ON "transfers"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transfers_schedule_id_idx" ON "transfers"("schedule_id");

-- CreateIndex
CREATE INDEX "transfer_selections_state_touched_at_idx" ON "transfer_selections"("state", "touched_at");

-- CreateIndex
CREATE INDEX "transfer_schedules_owner_id_created_at_id_idx" ON "transfer_schedules"("owner_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transfer_schedules_next_run_at_idx" ON "transfer_schedules"("next_run_at");

-- CreateIndex
CREATE INDEX "staging_jobs_transfer_id_status_idx" ON "staging_jobs"("transfer_id", "status");

-- AddForeignKey
ALTER TABLE "staging_jobs" ADD CONSTRAINT "staging_jobs_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "transfer_schedules"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfer_selections" ADD CONSTRAINT "transfer_selections_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transfer_schedules" ADD CONSTRAINT "transfer_schedules_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


