-- runs-since: 20261121193000_audit_days
-- The last attempt of each webhook, which outlives its deliveries.
ALTER TABLE "webhooks" ADD COLUMN "last_attempt_at" TIMESTAMPTZ(3),
                       ADD COLUMN "last_status" INTEGER,
                       ADD COLUMN "last_code" TEXT;
