-- runs-since: 20261121193000_audit_days
-- The feeds of known exploited vulnerabilities (kev) and of exploit predictions (epss). The entries are one table in a
-- compact form, compressed and in parts, which processes load into memory: docs/decisions/0045-threat-feeds.md.
CREATE TABLE "threat_feeds" (
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "validator" TEXT,
    "version" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "entries" INTEGER NOT NULL DEFAULT 0,
    "digest" TEXT,
    "fetched_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "error" JSONB,
    "failed_at" TIMESTAMPTZ(3),

    CONSTRAINT "threat_feeds_pkey" PRIMARY KEY ("kind")
);

CREATE TABLE "threat_feed_parts" (
    "kind" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "threat_feed_parts_pkey" PRIMARY KEY ("kind", "part")
);

ALTER TABLE "threat_feed_parts" ADD CONSTRAINT "threat_feed_parts_kind_fkey"
  FOREIGN KEY ("kind") REFERENCES "threat_feeds"("kind") ON DELETE CASCADE ON UPDATE CASCADE;
