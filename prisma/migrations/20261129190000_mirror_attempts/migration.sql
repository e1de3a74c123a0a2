-- Pulls of what is not in a mirror, which its upstream did not answer with a digest.
-- runs-since: 20261128000000_init

CREATE TABLE "mirror_attempts" (
  "folder_id" UUID NOT NULL,
  "repository" TEXT NOT NULL,
  "reference" TEXT NOT NULL,
  "account_id" UUID NOT NULL,
  "fault" JSONB NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "mirror_attempts_pkey" PRIMARY KEY ("repository", "reference", "account_id"),
  CONSTRAINT "mirror_attempts_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "mirrors"("folder_id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "mirror_attempts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "mirror_attempts_folder_id_at_idx" ON "mirror_attempts"("folder_id", "at");
CREATE INDEX "mirror_attempts_account_id_idx" ON "mirror_attempts"("account_id");
