-- runs-since: 20261121193000_audit_days
-- Robot accounts, limited scopes of tokens, and trust in the identity tokens of CI systems.
CREATE TABLE "robots" (
    "user_id" UUID NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "owner_group_id" UUID,
    "created_by" TEXT NOT NULL,

    CONSTRAINT "robots_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "identity_trusts" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "conditions" JSONB NOT NULL,
    "robot_id" UUID NOT NULL,
    "limits" JSONB NOT NULL,
    "minutes" INTEGER NOT NULL DEFAULT 15,
    "ca_cert" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "identity_trusts_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "personal_tokens" ADD COLUMN "limits" JSONB, ADD COLUMN "trust_id" UUID;

CREATE INDEX "robots_owner_group_id_idx" ON "robots"("owner_group_id");

CREATE UNIQUE INDEX "identity_trusts_name_key" ON "identity_trusts"("name");

CREATE INDEX "identity_trusts_issuer_idx" ON "identity_trusts"("issuer");

CREATE INDEX "identity_trusts_robot_id_idx" ON "identity_trusts"("robot_id");

CREATE INDEX "personal_tokens_trust_id_idx" ON "personal_tokens"("trust_id");

ALTER TABLE "robots" ADD CONSTRAINT "robots_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "robots" ADD CONSTRAINT "robots_owner_group_id_fkey" FOREIGN KEY ("owner_group_id") REFERENCES "groups"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "identity_trusts" ADD CONSTRAINT "identity_trusts_robot_id_fkey" FOREIGN KEY ("robot_id") REFERENCES "robots"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "personal_tokens" ADD CONSTRAINT "personal_tokens_trust_id_fkey" FOREIGN KEY ("trust_id") REFERENCES "identity_trusts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
