-- The tables of release 0.1.0, as `prisma migrate diff` writes them from prisma/schema.prisma, grouped; by hand: collations,
-- storage, NOT NULL of some lists, indexes over expressions, and the function of the search.


-- ---- Accounts, what they sign in with, and their groups

-- `username_key` is the lower-cased username: upper and lower case are one account.
CREATE TABLE "users" (
  "id" UUID NOT NULL,
  "username" TEXT NOT NULL,
  "username_key" TEXT NOT NULL,
  "email" TEXT,
  "password_hash" TEXT,
  "is_admin" BOOLEAN NOT NULL DEFAULT false,
  "can_bypass_vuln_block" BOOLEAN NOT NULL DEFAULT false,
  "disabled" BOOLEAN NOT NULL DEFAULT false,
  "auth_source" TEXT NOT NULL DEFAULT 'local',
  "must_change_password" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_login_at" TIMESTAMPTZ(3),
  CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_username_key" ON "users"("username_key");

-- Sessions of the web page.
CREATE TABLE "sessions" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "revoked_at" TIMESTAMPTZ(3),
  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- Accounts at identity providers, by issuer and subject.
CREATE TABLE "oidc_identities" (
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_login_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "oidc_identities_pkey" PRIMARY KEY ("issuer","subject"),
  CONSTRAINT "oidc_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "oidc_identities_user_id_idx" ON "oidc_identities"("user_id");

CREATE TABLE "groups" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "groups_name_key" ON "groups"("name");

-- Names that differ in upper and lower case only are one group.
CREATE UNIQUE INDEX "groups_name_lower_key" ON "groups" (lower("name"));

-- `source` is `manual`, or `oidc` where each login replaces it.
CREATE TABLE "group_members" (
  "group_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "source" TEXT NOT NULL DEFAULT 'manual',
  CONSTRAINT "group_members_pkey" PRIMARY KEY ("group_id","user_id"),
  CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "group_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "group_members_user_id_idx" ON "group_members"("user_id");

-- Machine accounts: `users.auth_source` is `robot`.
CREATE TABLE "robots" (
  "user_id" UUID NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "owner_group_id" UUID,
  "created_by" TEXT NOT NULL,
  CONSTRAINT "robots_pkey" PRIMARY KEY ("user_id"),
  CONSTRAINT "robots_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "robots_owner_group_id_fkey" FOREIGN KEY ("owner_group_id") REFERENCES "groups"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "robots_owner_group_id_idx" ON "robots"("owner_group_id");

-- Which identity tokens of an issuer, such as a CI system, are exchanged for tokens of which robot.
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
  CONSTRAINT "identity_trusts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "identity_trusts_robot_id_fkey" FOREIGN KEY ("robot_id") REFERENCES "robots"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "identity_trusts_name_key" ON "identity_trusts"("name");
CREATE INDEX "identity_trusts_issuer_idx" ON "identity_trusts"("issuer");
CREATE INDEX "identity_trusts_robot_id_idx" ON "identity_trusts"("robot_id");

-- Only the SHA-256 of a token is stored.
CREATE TABLE "personal_tokens" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "scope" TEXT NOT NULL,
  "limits" JSONB,
  "trust_id" UUID,
  "hash" TEXT NOT NULL,
  "hint" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "personal_tokens_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "personal_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "personal_tokens_trust_id_fkey" FOREIGN KEY ("trust_id") REFERENCES "identity_trusts"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "personal_tokens_hash_key" ON "personal_tokens"("hash");
CREATE INDEX "personal_tokens_user_id_idx" ON "personal_tokens"("user_id");
CREATE INDEX "personal_tokens_expires_at_idx" ON "personal_tokens"("expires_at");
CREATE INDEX "personal_tokens_trust_id_idx" ON "personal_tokens"("trust_id");


-- ---- Policies, folders and saved registries

-- The default policy is no row: it is made from the scan settings.
CREATE TABLE "policies" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "rules" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "policies_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "policies_name_key" ON "policies"("name");

-- Every saved version, including the newest.
CREATE TABLE "policy_versions" (
  "policy_id" UUID NOT NULL,
  "version" INTEGER NOT NULL,
  "rules" JSONB NOT NULL,
  "saved_by" TEXT NOT NULL,
  "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "policy_versions_pkey" PRIMARY KEY ("policy_id","version"),
  CONSTRAINT "policy_versions_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Names sort by their bytes in every database, because lists are paged in this order. `policy_id` is null where the
-- default policy applies.
CREATE TABLE "folders" (
  "id" UUID NOT NULL,
  "name" TEXT COLLATE "C" NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "policy_id" UUID,
  "push_gate" TEXT NOT NULL DEFAULT 'report',
  "pull_gate" TEXT NOT NULL DEFAULT 'off',
  "immutable_tags" TEXT[] NOT NULL DEFAULT '{}',
  "quota_bytes" BIGINT,
  "retention" JSONB,
  CONSTRAINT "folders_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "folders_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "folders_name_key" ON "folders"("name");
CREATE INDEX "folders_policy_id_idx" ON "folders"("policy_id");

CREATE TABLE "folder_grants" (
  "folder_id" UUID NOT NULL,
  "group_id" UUID NOT NULL,
  "can_pull" BOOLEAN NOT NULL DEFAULT false,
  "can_push" BOOLEAN NOT NULL DEFAULT false,
  "can_pull_external" BOOLEAN NOT NULL DEFAULT false,
  "can_push_external" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "folder_grants_pkey" PRIMARY KEY ("folder_id","group_id"),
  CONSTRAINT "folder_grants_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "folder_grants_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "folder_grants_group_id_idx" ON "folder_grants"("group_id");

-- The last removal of tags by the rule of a folder, and the requested one.
CREATE TABLE "retention_runs" (
  "folder_id" UUID NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'queued',
  "requested_by" TEXT,
  "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "rule" JSONB,
  "cursor" TEXT,
  "repositories" INTEGER NOT NULL DEFAULT 0,
  "tags_kept" INTEGER NOT NULL DEFAULT 0,
  "tags_removed" INTEGER NOT NULL DEFAULT 0,
  "tags_failed" INTEGER NOT NULL DEFAULT 0,
  "error" JSONB,
  CONSTRAINT "retention_runs_pkey" PRIMARY KEY ("folder_id"),
  CONSTRAINT "retention_runs_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Saved registries; those without an owner are global.
CREATE TABLE "registries" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "username" TEXT,
  "sealed_password" TEXT,
  "owner_id" UUID,
  "use_tls" BOOLEAN NOT NULL DEFAULT true,
  "tls_verify" BOOLEAN NOT NULL DEFAULT true,
  "ca_cert" TEXT,
  "system" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "checked_at" TIMESTAMPTZ(3),
  "check_ok" BOOLEAN,
  "check_code" TEXT,
  "check_message" TEXT,
  "policy_id" UUID,
  "token_hosts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  "push_namespace" TEXT,
  CONSTRAINT "registries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "registries_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "registries_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policies"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "registries_owner_id_idx" ON "registries"("owner_id");
CREATE INDEX "registries_policy_id_idx" ON "registries"("policy_id");

-- What passed where, apart from waivers: the days of grace depend on it.
CREATE TABLE "pass_records" (
  "folder_id" UUID NOT NULL,
  "digest" TEXT NOT NULL,
  "passed_at" TIMESTAMPTZ(3),
  "blocked_at" TIMESTAMPTZ(3),
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "pass_records_pkey" PRIMARY KEY ("folder_id","digest"),
  CONSTRAINT "pass_records_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "pass_records_digest_idx" ON "pass_records"("digest");


-- ---- Transfers and staging jobs

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
  CONSTRAINT "transfer_schedules_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "transfer_schedules_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "transfer_schedules_owner_id_created_at_id_idx" ON "transfer_schedules"("owner_id", "created_at" DESC, "id" DESC);
CREATE INDEX "transfer_schedules_next_run_at_idx" ON "transfer_schedules"("next_run_at");

-- A batch of staging jobs, whose status follows from theirs.
CREATE TABLE "transfers" (
  "id" UUID NOT NULL,
  "owner_id" UUID NOT NULL,
  "schedule_id" UUID,
  "order" JSONB NOT NULL,
  "request_id" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "transfers_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "transfers_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "transfers_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "transfer_schedules"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "transfers_owner_id_created_at_id_idx" ON "transfers"("owner_id", "created_at" DESC, "id" DESC);
CREATE INDEX "transfers_created_at_id_idx" ON "transfers"("created_at" DESC, "id" DESC);
CREATE INDEX "transfers_schedule_id_created_at_id_idx" ON "transfers"("schedule_id", "created_at" DESC, "id" DESC);

-- Patterns of tags that a worker expands, page by page.
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
  CONSTRAINT "transfer_selections_pkey" PRIMARY KEY ("transfer_id","position"),
  CONSTRAINT "transfer_selections_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfers"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "transfer_selections_state_touched_at_idx" ON "transfer_selections"("state", "touched_at");

CREATE TABLE "staging_jobs" (
  "id" UUID NOT NULL,
  "owner_id" UUID NOT NULL,
  "status" TEXT NOT NULL,
  "image" TEXT NOT NULL,
  "tag" TEXT NOT NULL,
  "source" JSONB NOT NULL,
  "platforms" JSONB,
  "digest" TEXT,
  "source_digest" TEXT,
  "media_type" TEXT,
  "size" BIGINT,
  "storage_id" UUID,
  "image_released_at" TIMESTAMPTZ(3),
  "progress" JSONB NOT NULL,
  "verdict" TEXT NOT NULL DEFAULT 'pending',
  "vuln_result" JSONB,
  "findings" JSONB,
  "overrides" JSONB NOT NULL,
  "auto" BOOLEAN NOT NULL DEFAULT false,
  "pull_mode" TEXT NOT NULL DEFAULT 'eager',
  "transfer_id" UUID,
  "with_referrers" BOOLEAN NOT NULL DEFAULT false,
  "referrers_required" BOOLEAN NOT NULL DEFAULT false,
  "destination" JSONB,
  "pushes" JSONB NOT NULL DEFAULT '[]',
  "error" JSONB,
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "fence" INTEGER NOT NULL DEFAULT 0,
  "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
  "timeline" JSONB NOT NULL DEFAULT '[]',
  "request_id" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),
  "queued_at" TIMESTAMPTZ(3),
  "worker_id" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "swept_at" TIMESTAMPTZ(3),
  CONSTRAINT "staging_jobs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "staging_jobs_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "staging_jobs_transfer_id_fkey" FOREIGN KEY ("transfer_id") REFERENCES "transfers"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "staging_jobs_owner_id_created_at_id_idx" ON "staging_jobs"("owner_id", "created_at" DESC, "id" DESC);
CREATE INDEX "staging_jobs_created_at_id_idx" ON "staging_jobs"("created_at" DESC, "id" DESC);
CREATE INDEX "staging_jobs_status_created_at_id_idx" ON "staging_jobs"("status", "created_at" DESC, "id" DESC);
CREATE INDEX "staging_jobs_verdict_created_at_id_idx" ON "staging_jobs"("verdict", "created_at" DESC, "id" DESC);
CREATE INDEX "staging_jobs_image_created_at_id_idx" ON "staging_jobs"("image", "created_at" DESC, "id" DESC);
CREATE INDEX "staging_jobs_transfer_id_status_idx" ON "staging_jobs"("transfer_id", "status");
CREATE INDEX "staging_jobs_digest_idx" ON "staging_jobs"("digest");
CREATE INDEX "staging_jobs_updated_at_idx" ON "staging_jobs"("updated_at");

CREATE TABLE "job_credentials" (
  "job_id" UUID NOT NULL,
  "use" TEXT NOT NULL,
  "sealed" TEXT NOT NULL,
  CONSTRAINT "job_credentials_pkey" PRIMARY KEY ("job_id","use"),
  CONSTRAINT "job_credentials_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "staging_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The full reports of a job's scan, compressed and in parts.
CREATE TABLE "job_reports" (
  "job_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "part" INTEGER NOT NULL,
  "content" BYTEA NOT NULL,
  CONSTRAINT "job_reports_pkey" PRIMARY KEY ("job_id","name","part"),
  CONSTRAINT "job_reports_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "staging_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Answers to requests with an `Idempotency-Key`, kept for a day.
CREATE TABLE "idempotency_keys" (
  "user_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "body_hash" TEXT NOT NULL,
  "ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","key"),
  CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");


-- ---- Review requests and waivers

-- The last number of a review request, so that none is used twice, also after a restore.
CREATE TABLE "review_counters" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "last" INTEGER NOT NULL,
  CONSTRAINT "review_counters_pkey" PRIMARY KEY ("id")
);

-- One question about an image for one destination. An approval leaves waivers behind.
CREATE TABLE "reviews" (
  "number" INTEGER NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'open',
  "job_id" UUID,
  "digest" TEXT NOT NULL,
  "source_registry_id" TEXT,
  "source_host" TEXT NOT NULL,
  "image" TEXT NOT NULL,
  "tag" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "folder_id" UUID,
  "registry_id" UUID,
  "host" TEXT NOT NULL,
  "repository" TEXT NOT NULL,
  "target_tag" TEXT NOT NULL,
  "findings" JSONB NOT NULL,
  "vulnerabilities" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "approved" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "counts" JSONB NOT NULL,
  "reason" TEXT NOT NULL,
  "ticket" TEXT,
  "until" TIMESTAMPTZ(3) NOT NULL,
  "push_state" TEXT,
  "push_code" TEXT,
  "push_at" TIMESTAMPTZ(3),
  "requested_by_id" UUID NOT NULL,
  "approvals" JSONB NOT NULL DEFAULT '[]',
  "closed_by_id" TEXT,
  "closed_by" TEXT,
  "closed_at" TIMESTAMPTZ(3),
  "closed_comment" TEXT,
  "search_text" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "reviews_pkey" PRIMARY KEY ("number"),
  CONSTRAINT "reviews_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "staging_jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "reviews_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "reviews_registry_id_fkey" FOREIGN KEY ("registry_id") REFERENCES "registries"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "reviews_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "reviews_state_number_idx" ON "reviews"("state", "number" DESC);
CREATE INDEX "reviews_state_ends_at_idx" ON "reviews"("state", "ends_at");
CREATE INDEX "reviews_requested_by_id_number_idx" ON "reviews"("requested_by_id", "number" DESC);
CREATE INDEX "reviews_folder_id_number_idx" ON "reviews"("folder_id", "number" DESC);
CREATE INDEX "reviews_registry_id_idx" ON "reviews"("registry_id");
CREATE INDEX "reviews_job_id_idx" ON "reviews"("job_id");
CREATE INDEX "reviews_digest_state_idx" ON "reviews"("digest", "state");
CREATE INDEX "reviews_push_state_push_at_idx" ON "reviews"("push_state", "push_at");
CREATE INDEX "reviews_vulnerabilities_idx" ON "reviews" USING GIN ("vulnerabilities");

-- The thread of a review request.
CREATE TABLE "review_comments" (
  "id" UUID NOT NULL,
  "review_number" INTEGER NOT NULL,
  "author_id" UUID,
  "username" TEXT,
  "text" TEXT NOT NULL,
  "code" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "review_comments_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "review_comments_review_number_fkey" FOREIGN KEY ("review_number") REFERENCES "reviews"("number") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "review_comments_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "review_comments_review_number_created_at_id_idx" ON "review_comments"("review_number", "created_at", "id");
CREATE INDEX "review_comments_author_id_idx" ON "review_comments"("author_id");

-- Accepted findings, for a scope, until a date. Null in a term of the scope means every one.
CREATE TABLE "waivers" (
  "id" UUID NOT NULL,
  "vulnerability" TEXT NOT NULL,
  "package" TEXT,
  "package_version" TEXT,
  "repository" TEXT,
  "digest" TEXT,
  "folder_id" UUID,
  "status" TEXT NOT NULL,
  "justification" TEXT,
  "reason" TEXT NOT NULL,
  "ticket" TEXT,
  "vex_document" TEXT,
  "vex_author" TEXT,
  "state" TEXT NOT NULL DEFAULT 'requested',
  "requested_by_id" UUID NOT NULL,
  "approvals" JSONB NOT NULL DEFAULT '[]',
  "closed_by" TEXT,
  "closed_at" TIMESTAMPTZ(3),
  "closed_reason" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "announced_at" TIMESTAMPTZ(3),
  "reminded_at" TIMESTAMPTZ(3),
  "expired_at" TIMESTAMPTZ(3),
  "review_number" INTEGER,
  CONSTRAINT "waivers_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "waivers_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "waivers_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "waivers_review_number_fkey" FOREIGN KEY ("review_number") REFERENCES "reviews"("number") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE INDEX "waivers_state_created_at_id_idx" ON "waivers"("state", "created_at" DESC, "id" DESC);
CREATE INDEX "waivers_created_at_id_idx" ON "waivers"("created_at" DESC, "id" DESC);
CREATE INDEX "waivers_vulnerability_idx" ON "waivers"("vulnerability");
CREATE INDEX "waivers_folder_id_idx" ON "waivers"("folder_id");
CREATE INDEX "waivers_requested_by_id_idx" ON "waivers"("requested_by_id");
CREATE INDEX "waivers_review_number_idx" ON "waivers"("review_number");


-- ---- What the built-in registry holds

-- Each push updates these tables, and a reconciliation in the background corrects them.
CREATE TABLE "local_repositories" (
  "name" TEXT NOT NULL,
  "namespace" TEXT NOT NULL,
  "tag_count" INTEGER NOT NULL DEFAULT 0,
  "size" BIGINT NOT NULL DEFAULT 0,
  "added_bytes" BIGINT NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "local_repositories_pkey" PRIMARY KEY ("name")
);
CREATE INDEX "local_repositories_namespace_idx" ON "local_repositories"("namespace");

CREATE TABLE "local_manifests" (
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "media_type" TEXT NOT NULL,
  "artifact_type" TEXT,
  "subject" TEXT,
  "size" INTEGER NOT NULL,
  "total_size" BIGINT NOT NULL,
  "platforms" TEXT[],
  "pushed_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "local_manifests_pkey" PRIMARY KEY ("repository","digest"),
  CONSTRAINT "local_manifests_repository_fkey" FOREIGN KEY ("repository") REFERENCES "local_repositories"("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "local_manifests_digest_idx" ON "local_manifests"("digest");

CREATE TABLE "local_contents" (
  "repository" TEXT NOT NULL,
  "parent" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "size" BIGINT NOT NULL,
  "is_manifest" BOOLEAN NOT NULL,
  CONSTRAINT "local_contents_pkey" PRIMARY KEY ("repository","parent","digest"),
  CONSTRAINT "local_contents_repository_parent_fkey" FOREIGN KEY ("repository", "parent") REFERENCES "local_manifests"("repository", "digest") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "local_contents_repository_digest_idx" ON "local_contents"("repository", "digest");
CREATE INDEX "local_contents_digest_idx" ON "local_contents"("digest");

CREATE TABLE "local_tags" (
  "repository" TEXT NOT NULL,
  "tag" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "found" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "local_tags_pkey" PRIMARY KEY ("repository","tag"),
  CONSTRAINT "local_tags_repository_fkey" FOREIGN KEY ("repository") REFERENCES "local_repositories"("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "local_tags_repository_digest_idx" ON "local_tags"("repository", "digest");
CREATE INDEX "local_tags_repository_updated_at_tag_idx" ON "local_tags"("repository", "updated_at" DESC, "tag");
CREATE INDEX "local_tags_digest_idx" ON "local_tags"("digest");

-- The order of `tags/list`: pages of a repository with many tags are read without the others.
CREATE INDEX "local_tags_order_idx" ON "local_tags" ("repository", lower("tag") COLLATE "C", "tag" COLLATE "C");

-- What refers to a manifest (OCI distribution spec 1.1 § Referrers).
CREATE TABLE "referrers" (
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "media_type" TEXT NOT NULL,
  "artifact_type" TEXT,
  "size" INTEGER NOT NULL,
  "annotations" JSON,
  CONSTRAINT "referrers_pkey" PRIMARY KEY ("repository","digest")
);
CREATE INDEX "referrers_repository_subject_digest_idx" ON "referrers"("repository", "subject", "digest");

-- When an image was pulled last, to the hour.
CREATE TABLE "image_pulls" (
  "digest" TEXT NOT NULL,
  "pulled_at" TIMESTAMPTZ(3) NOT NULL,
  "pulled_by" TEXT,
  CONSTRAINT "image_pulls_pkey" PRIMARY KEY ("digest")
);


-- ---- Scans: reports, scans that wait or run, and what re-matches need

-- The newest report of each digest, not judged: a policy may change.
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
  "gaps" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  "scanned_at" TIMESTAMPTZ(3) NOT NULL,
  "facts" JSONB NOT NULL,
  CONSTRAINT "image_reports_pkey" PRIMARY KEY ("digest")
);
CREATE INDEX "image_reports_scanned_at_idx" ON "image_reports"("scanned_at");

-- The findings of the reports as rows, for searches.
CREATE TABLE "image_findings" (
  "digest" TEXT NOT NULL,
  "vulnerability" TEXT NOT NULL,
  "package" TEXT NOT NULL,
  "installed_version" TEXT NOT NULL,
  "fixed_version" TEXT,
  "severity" TEXT NOT NULL,
  "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
  "title" TEXT,
  CONSTRAINT "image_findings_pkey" PRIMARY KEY ("digest","vulnerability","package","installed_version"),
  CONSTRAINT "image_findings_digest_fkey" FOREIGN KEY ("digest") REFERENCES "image_reports"("digest") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "image_findings_vulnerability_digest_idx" ON "image_findings"("vulnerability", "digest");
CREATE INDEX "image_findings_package_digest_idx" ON "image_findings"("package", "digest");

-- Scans on demand; their result is the report of the digest.
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
  "request_id" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),
  "lease_until" TIMESTAMPTZ(3),
  "tries" INTEGER NOT NULL DEFAULT 0,
  "not_before" TIMESTAMPTZ(3),
  CONSTRAINT "image_scans_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "image_scans_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "image_scans_registry_id_repository_created_at_id_idx" ON "image_scans"("registry_id", "repository", "created_at" DESC, "id" DESC);
CREATE INDEX "image_scans_state_created_at_idx" ON "image_scans"("state", "created_at");
CREATE INDEX "image_scans_digest_idx" ON "image_scans"("digest");
CREATE INDEX "image_scans_requested_by_id_idx" ON "image_scans"("requested_by_id");

-- Digests that are scanned again after an update of the vulnerability database, from their first try on.
CREATE TABLE "image_rescans" (
  "digest" TEXT NOT NULL,
  "db_updated_at" TIMESTAMPTZ(3) NOT NULL,
  "attempts" INTEGER NOT NULL,
  "error" JSONB,
  "tried_at" TIMESTAMPTZ(3) NOT NULL,
  "lease_until" TIMESTAMPTZ(3),
  CONSTRAINT "image_rescans_pkey" PRIMARY KEY ("digest")
);

-- What Trivy found in layers and configurations, by the keys of its cache in Redis.
CREATE TABLE "scan_analyses" (
  "key" TEXT NOT NULL,
  "diff_id" TEXT,
  "content" BYTEA NOT NULL,
  "used_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "scan_analyses_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "scan_analyses_diff_id_idx" ON "scan_analyses"("diff_id");

-- It is compressed already.
ALTER TABLE "scan_analyses" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- What a re-match of a scanned digest needs.
CREATE TABLE "image_analyses" (
  "digest" TEXT NOT NULL,
  "profile" TEXT NOT NULL,
  "image" JSONB NOT NULL,
  "keys" TEXT[],
  "packages" BYTEA,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "failed_at" TIMESTAMPTZ(3),
  CONSTRAINT "image_analyses_pkey" PRIMARY KEY ("digest")
);

-- One row: the re-match after the newest update of the vulnerability database.
CREATE TABLE "image_rematches" (
  "id" TEXT NOT NULL,
  "db_updated_at" TIMESTAMPTZ(3) NOT NULL,
  "attempts" INTEGER NOT NULL,
  "lease_until" TIMESTAMPTZ(3),
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "renewed_at" TIMESTAMPTZ(3) NOT NULL,
  "matched" INTEGER NOT NULL DEFAULT 0,
  "changed" INTEGER NOT NULL DEFAULT 0,
  "skipped" INTEGER NOT NULL DEFAULT 0,
  "failed" INTEGER NOT NULL DEFAULT 0,
  "worked_ms" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "image_rematches_pkey" PRIMARY KEY ("id")
);


-- ---- Standings of tagged images, and feeds

-- The standings that were announced last, to notice changes. The gates do not decide by them.
CREATE TABLE "image_standings" (
  "repository" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "folder" TEXT NOT NULL,
  "passes" BOOLEAN,
  "verdict" TEXT,
  "waived" BOOLEAN NOT NULL DEFAULT false,
  "code" TEXT,
  "blocking" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "policy" TEXT NOT NULL,
  "mark" TEXT NOT NULL,
  "report_at" TIMESTAMPTZ(3),
  "database_at" TEXT,
  "valid_until" TIMESTAMPTZ(3),
  "grace_until" TIMESTAMPTZ(3),
  "stale" BOOLEAN NOT NULL DEFAULT false,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "changed_at" TIMESTAMPTZ(3),
  "judged_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "image_standings_pkey" PRIMARY KEY ("repository","digest")
);
CREATE INDEX "image_standings_digest_idx" ON "image_standings"("digest");
CREATE INDEX "image_standings_changed_at_repository_digest_idx" ON "image_standings"("changed_at" DESC, "repository", "digest");

-- What the scanner's database says about a vulnerability, whatever image has it.
CREATE TABLE "advisories" (
  "id" TEXT NOT NULL,
  "title" TEXT,
  "description" TEXT,
  "cvss_score" DOUBLE PRECISION,
  "cvss_vector" TEXT,
  "cvss_source" TEXT,
  "published_at" TIMESTAMPTZ(3),
  "modified_at" TIMESTAMPTZ(3),
  "links" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "kept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "advisories_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "advisories_kept_at_idx" ON "advisories"("kept_at");

-- When a vulnerability was first found in a tagged image of the built-in registry.
CREATE TABLE "known_vulnerabilities" (
  "vulnerability" TEXT NOT NULL,
  "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "known_vulnerabilities_pkey" PRIMARY KEY ("vulnerability")
);
CREATE INDEX "known_vulnerabilities_first_seen_at_idx" ON "known_vulnerabilities"("first_seen_at" DESC);

-- One row: which worker judges standings, and whether all were judged once.
CREATE TABLE "standing_runs" (
  "id" TEXT NOT NULL,
  "attempts" INTEGER NOT NULL,
  "lease_until" TIMESTAMPTZ(3),
  "filled_at" TIMESTAMPTZ(3),
  "waivers" JSONB NOT NULL DEFAULT '[]',
  CONSTRAINT "standing_runs_pkey" PRIMARY KEY ("id")
);

-- Feeds of known exploited vulnerabilities (kev) and of exploit predictions (epss).
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

-- The entries of a feed as one compressed table in parts, which processes load into memory.
CREATE TABLE "threat_feed_parts" (
  "kind" TEXT NOT NULL,
  "part" INTEGER NOT NULL,
  "content" BYTEA NOT NULL,
  CONSTRAINT "threat_feed_parts_pkey" PRIMARY KEY ("kind","part"),
  CONSTRAINT "threat_feed_parts_kind_fkey" FOREIGN KEY ("kind") REFERENCES "threat_feeds"("kind") ON DELETE CASCADE ON UPDATE CASCADE
);


-- ---- Audit log

-- The archive of audit events. `words` is what the search finds an event by.
CREATE TABLE "audit_events" (
  "id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "event" TEXT NOT NULL,
  "outcome" TEXT NOT NULL,
  "actor_id" TEXT,
  "actor" TEXT NOT NULL,
  "body" JSONB NOT NULL,
  "words" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  "bypassed" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_events_at_id_idx" ON "audit_events"("at" DESC, "id" DESC);
CREATE INDEX "audit_events_actor_at_id_idx" ON "audit_events"("actor", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_actor_event_at_id_idx" ON "audit_events"("actor", "event", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_event_at_id_idx" ON "audit_events"("event", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_outcome_at_id_idx" ON "audit_events"("outcome", "at" DESC, "id" DESC);
CREATE INDEX "audit_events_bypassed_at_id_idx" ON "audit_events"("at" DESC, "id" DESC) WHERE "bypassed";

-- The search reads words by day. A key is 48 bits of the word's hash before 16 of the day, so that the days of a word
-- are adjacent in the index.
CREATE FUNCTION "audit_day_words"("words" TEXT[], "day" DATE) RETURNS BIGINT[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg((hashtextextended(word, 0) << 16) | ((day - DATE '1970-01-01') & 65535)) FROM unnest(words) word
$$;
-- The words of a batch of events enter the index together; the archive cleans the list of new ones after each batch.
CREATE INDEX "audit_events_day_words_idx" ON "audit_events"
  USING GIN ("audit_day_words"("words", ("at" AT TIME ZONE 'UTC')::date)) WITH (fastupdate = on);

-- Events are written here in the transaction of their change, published, and removed once they are archived.
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


-- ---- Webhooks and notifications

CREATE TABLE "webhooks" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "folder_id" UUID,
  "sealed_url" TEXT NOT NULL,
  "format" TEXT NOT NULL DEFAULT 'cloudevents',
  "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "enabled" BOOLEAN NOT NULL DEFAULT true,
  "disabled_reason" TEXT,
  "sealed_secret" TEXT NOT NULL,
  "sealed_previous_secret" TEXT,
  "previous_until" TIMESTAMPTZ(3),
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "failing_since" TIMESTAMPTZ(3),
  "retry_at" TIMESTAMPTZ(3),
  "last_attempt_at" TIMESTAMPTZ(3),
  "last_status" INTEGER,
  "last_code" TEXT,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhooks_folder_id_fkey" FOREIGN KEY ("folder_id") REFERENCES "folders"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhooks_folder_id_idx" ON "webhooks"("folder_id");

-- Events for webhooks, and the result of their delivery.
CREATE TABLE "webhook_deliveries" (
  "id" UUID NOT NULL,
  "webhook_id" UUID NOT NULL,
  "event_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "lease_until" TIMESTAMPTZ(3),
  "attempted_at" TIMESTAMPTZ(3),
  "status" INTEGER,
  "code" TEXT,
  "duration_ms" INTEGER,
  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_deliveries_webhook_id_state_next_attempt_at_idx" ON "webhook_deliveries"("webhook_id", "state", "next_attempt_at");
CREATE INDEX "webhook_deliveries_webhook_id_created_at_id_idx" ON "webhook_deliveries"("webhook_id", "created_at" DESC, "id" DESC);
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_event_id_key" ON "webhook_deliveries"("webhook_id", "event_id");

-- What an account is notified of on the page.
CREATE TABLE "notifications" (
  "id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "target" TEXT NOT NULL,
  "target_id" TEXT,
  "repository" TEXT,
  "folder" TEXT,
  "facts" JSONB NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "read_at" TIMESTAMPTZ(3),
  CONSTRAINT "notifications_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notifications_user_id_created_at_id_idx" ON "notifications"("user_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");
CREATE UNIQUE INDEX "notifications_user_id_key_key" ON "notifications"("user_id", "key");

-- Where an account receives a kind of notification, where that is not the default.
CREATE TABLE "notification_choices" (
  "user_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "page" BOOLEAN NOT NULL,
  "mail" BOOLEAN NOT NULL,
  CONSTRAINT "notification_choices_pkey" PRIMARY KEY ("user_id","kind"),
  CONSTRAINT "notification_choices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);


-- ---- The installation

CREATE TABLE "settings" (
  "key" TEXT NOT NULL,
  "value" JSONB NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- The directories that images are pulled to (DATA_DIR), and what their workers report of them.
CREATE TABLE "storages" (
  "id" UUID NOT NULL,
  "state" JSONB,
  "orphans" JSONB,
  "orphans_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "storages_pkey" PRIMARY KEY ("id")
);

-- Collections of garbage and updates of the vulnerability database that an account requested.
CREATE TABLE "maintenance_runs" (
  "id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'queued',
  "options" JSONB NOT NULL DEFAULT '{}',
  "result" JSONB NOT NULL DEFAULT '{}',
  "error" JSONB,
  "log_tail" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "requested_by" TEXT NOT NULL,
  "request_id" TEXT,
  "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "started_at" TIMESTAMPTZ(3),
  "finished_at" TIMESTAMPTZ(3),
  "worker_id" TEXT,
  "lease_until" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "tries" INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT "maintenance_runs_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "maintenance_runs_kind_requested_at_idx" ON "maintenance_runs"("kind", "requested_at" DESC);
