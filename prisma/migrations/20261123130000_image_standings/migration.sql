-- runs-since: 20261121193000_audit_days
-- The standings that were announced last, to notice changes. No door decides by them.
CREATE TABLE "image_standings" (
    "repository" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "passes" BOOLEAN,
    "verdict" TEXT,
    "code" TEXT,
    "blocking" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "policy" TEXT NOT NULL,
    "mark" TEXT NOT NULL,
    "report_at" TIMESTAMPTZ(3),
    "database_at" TEXT,
    "valid_until" TIMESTAMPTZ(3),
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "changed_at" TIMESTAMPTZ(3),
    "judged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "image_standings_pkey" PRIMARY KEY ("repository", "digest")
);
CREATE INDEX "image_standings_digest_idx" ON "image_standings"("digest");
CREATE INDEX "image_standings_changed_at_repository_digest_idx" ON "image_standings"("changed_at" DESC, "repository", "digest");

-- When a vulnerability was first found in a tagged image of the built-in registry.
CREATE TABLE "known_vulnerabilities" (
    "vulnerability" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_vulnerabilities_pkey" PRIMARY KEY ("vulnerability")
);
CREATE INDEX "known_vulnerabilities_first_seen_at_idx" ON "known_vulnerabilities"("first_seen_at" DESC);

-- One row: which worker judges, and whether everything was judged once.
CREATE TABLE "standing_runs" (
    "id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "filled_at" TIMESTAMPTZ(3),
    "waivers" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "standing_runs_pkey" PRIMARY KEY ("id")
);
