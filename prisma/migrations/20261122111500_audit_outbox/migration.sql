-- Audit events are written with their change and published from here.
CREATE TABLE "audit_outbox" (
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "body" JSON NOT NULL,
    "open_until" TIMESTAMPTZ(3),
    "published_to" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_outbox_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "audit_outbox_published_to_seq_idx" ON "audit_outbox"("published_to", "seq");
