-- runs-since: 20261121193000_audit_days
-- When an image was pulled last, from the audit events of pulls: what is pulled is compared first with a new database.
CREATE TABLE "image_pulls" (
    "digest" TEXT NOT NULL,
    "pulled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "image_pulls_pkey" PRIMARY KEY ("digest")
);
