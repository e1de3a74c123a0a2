-- The keys that sign what this installation states about images.
-- runs-since: 20261128000000_init

CREATE TABLE "signing_keys" (
  "id" TEXT NOT NULL,
  "public_key" TEXT NOT NULL,
  "sealed_key" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "signs_from" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "published_until" TIMESTAMPTZ(3),

  CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("id")
);
