-- What an installation of the first release (migration 20261128000000_init) may hold: of every table something.
INSERT INTO users (id, username, username_key, email, password_hash, is_admin, can_bypass_vuln_block, created_at) VALUES
  ('01a00000-0000-7000-8000-000000000001', 'Kim', 'kim', 'kim@example.org', '$2b$12$old', true, false, '2026-01-02T03:04:05.678Z'),
  ('01a00000-0000-7000-8000-000000000002', 'dev', 'dev', NULL, 'hmac-sha256:$2b$12$other', false, true, '2026-01-03T00:00:00Z');
INSERT INTO sessions (id, user_id, expires_at) VALUES
  ('11a00000-0000-4000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '2099-01-01T00:00:00Z');
INSERT INTO groups (id, name, description) VALUES ('02a00000-0000-7000-8000-000000000001', 'team', 'those of the shop');
INSERT INTO group_members (group_id, user_id) VALUES
  ('02a00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001');
INSERT INTO folders (id, name, description) VALUES
  ('03a00000-0000-7000-8000-000000000001', '__root__', ''),
  ('03a00000-0000-7000-8000-000000000002', 'shop', 'ünïcode');
INSERT INTO folder_grants (folder_id, group_id, can_pull, can_push) VALUES
  ('03a00000-0000-7000-8000-000000000002', '02a00000-0000-7000-8000-000000000001', true, true);
INSERT INTO registries (id, name, host, username, sealed_password, owner_id) VALUES
  ('04a00000-0000-7000-8000-000000000001', 'hub', 'registry.example.org', 'robot$x', '1.00000000.c2VhbGVk', NULL);
INSERT INTO staging_jobs (id, owner_id, status, image, tag, source, platforms, digest, media_type, size, progress, verdict, vuln_result, findings, overrides, timeline, created_at, finished_at) VALUES
  ('05a00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', 'pushed', 'library/alpine', '3.20',
   '{"kind": "dockerhub", "registryId": null, "host": "registry-1.docker.io"}', '["linux/amd64"]',
   'sha256:1111111111111111111111111111111111111111111111111111111111111111', 'application/vnd.oci.image.index.v1+json', 9007199254740993,
   '{"phase": "done", "bytesDone": 1, "bytesTotal": 1, "blobsDone": 1, "blobsTotal": 1, "rate": 0}', 'clean', NULL, NULL, '{}',
   '[{"at": "2026-01-02T03:04:05.678Z", "status": "pull_queued", "kind": "status_changed"}, {"at": "2026-01-02T03:04:09.000Z", "status": "push_queued", "kind": "push_requested", "destination": "localhost:5000/team/alpine:3.20"}]', '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z'),
  ('05a00000-0000-7000-8000-000000000002', '01a00000-0000-7000-8000-000000000001', 'pull_queued', 'library/busybox', '1',
   '{"kind": "dockerhub", "registryId": null, "host": "registry-1.docker.io"}', NULL, NULL, NULL, NULL,
   '{"phase": "pull", "bytesDone": 0, "bytesTotal": null, "blobsDone": 0, "blobsTotal": null, "rate": 0}', 'pending', NULL, NULL, '{}', '[]',
   '2026-01-03T03:04:05Z', NULL);
INSERT INTO job_credentials (job_id, use, sealed) VALUES
  ('05a00000-0000-7000-8000-000000000002', 'source', '1.00000000.c2VhbGVk');
INSERT INTO idempotency_keys (user_id, key, body_hash, ids) VALUES
  ('01a00000-0000-7000-8000-000000000001', 'again', 'hash', ARRAY['05a00000-0000-7000-8000-000000000001']);
INSERT INTO audit_events (id, at, event, outcome, actor_id, actor, body) VALUES
  ('06a00000-0000-7000-8000-000000000001', '2026-01-02T03:04:05.678Z', 'auth.login', 'success', '01a00000-0000-7000-8000-000000000001', 'Kim',
   '{"id": "06a00000-0000-7000-8000-000000000001", "at": "2026-01-02T03:04:05.678Z", "event": "auth.login", "outcome": "success", "actor": {"id": "01a00000-0000-7000-8000-000000000001", "name": "Kim"}}');
INSERT INTO settings (key, value) VALUES ('policy', '{"severities": ["CRITICAL"]}');
INSERT INTO oidc_identities (issuer, subject, user_id) VALUES
  ('https://id.example.org', 'kim', '01a00000-0000-7000-8000-000000000001');
INSERT INTO users (id, username, username_key, auth_source) VALUES
  ('01a00000-0000-7000-8000-000000000003', 'robot$ci', 'robot$ci', 'robot');
INSERT INTO robots (user_id, owner_group_id, created_by) VALUES
  ('01a00000-0000-7000-8000-000000000003', '02a00000-0000-7000-8000-000000000001', 'Kim');
INSERT INTO identity_trusts (id, name, issuer, audience, conditions, robot_id, limits, created_by) VALUES
  ('07a00000-0000-7000-8000-000000000001', 'ci', 'https://ci.example.org', 'portcullis', '{"sub": ["repo:*"]}',
   '01a00000-0000-7000-8000-000000000003', '{}', 'Kim');
INSERT INTO personal_tokens (id, user_id, name, scope, hash, hint, expires_at) VALUES
  ('08a00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', 'laptop', 'docker', 'sha256 of it', 'pct_x…y', '2099-01-01T00:00:00Z');
INSERT INTO policies (id, name, rules) VALUES ('09a00000-0000-7000-8000-000000000001', 'strict', '{}');
INSERT INTO policy_versions (policy_id, version, rules, saved_by) VALUES ('09a00000-0000-7000-8000-000000000001', 1, '{}', 'Kim');
UPDATE folders SET policy_id = '09a00000-0000-7000-8000-000000000001', immutable_tags = '{v*}', quota_bytes = 9007199254740993
 WHERE id = '03a00000-0000-7000-8000-000000000002';
INSERT INTO retention_runs (folder_id, state) VALUES ('03a00000-0000-7000-8000-000000000002', 'done');
INSERT INTO review_counters (last) VALUES (1);
INSERT INTO reviews (number, job_id, digest, source_host, image, tag, kind, folder_id, host, repository, target_tag, findings, vulnerabilities, counts, reason, until, requested_by_id, search_text, ends_at) VALUES
  (1, '05a00000-0000-7000-8000-000000000001', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'registry-1.docker.io', 'library/alpine', '3.20', 'local', '03a00000-0000-7000-8000-000000000002', 'localhost:5000', 'shop/alpine', '3.20',
   '[]', '{CVE-2026-1}', '{"HIGH": 1}', 'the release of Friday', '2099-01-01T00:00:00Z', '01a00000-0000-7000-8000-000000000001', 'library/alpine shop/alpine', '2099-01-01T00:00:00Z');
INSERT INTO review_comments (id, review_number, author_id, username, text) VALUES
  ('15a00000-0000-7000-8000-000000000001', 1, '01a00000-0000-7000-8000-000000000001', 'Kim', 'not reachable: ünïcode');
INSERT INTO advisories (id, title, cvss_score, links) VALUES ('CVE-2026-1', 'An overflow', 7.5, '{https://example.org/CVE-2026-1}');
INSERT INTO waivers (id, vulnerability, folder_id, status, reason, requested_by_id, expires_at) VALUES
  ('0aa00000-0000-7000-8000-000000000001', 'CVE-2026-1', '03a00000-0000-7000-8000-000000000002', 'not_affected', 'not reachable', '01a00000-0000-7000-8000-000000000001', '2099-01-01T00:00:00Z');
INSERT INTO pass_records (folder_id, digest, passed_at) VALUES ('03a00000-0000-7000-8000-000000000002', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-02T00:00:00Z');
INSERT INTO transfer_schedules (id, owner_id, name, cron, timezone, request, "order") VALUES
  ('0ba00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', 'nightly', '0 3 * * *', 'Europe/Berlin', '{}', '{}');
INSERT INTO transfers (id, owner_id, schedule_id, "order") VALUES
  ('0ca00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', '0ba00000-0000-7000-8000-000000000001', '{}');
INSERT INTO transfer_selections (transfer_id, position, state) VALUES ('0ca00000-0000-7000-8000-000000000001', 0, 'done');
INSERT INTO job_reports (job_id, name, part, content) VALUES ('05a00000-0000-7000-8000-000000000001', 'reports.json', 0, '\x1f8b');
INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at) VALUES
  ('shop/alpine', 'shop', 1, 9007199254740993, '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at) VALUES
  ('shop/alpine', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'application/vnd.oci.image.manifest.v1+json', 500, 9007199254740993, '{linux/amd64}', '2026-01-02T00:00:00Z');
INSERT INTO local_contents (repository, parent, digest, size, is_manifest) VALUES ('shop/alpine', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 20, false);
INSERT INTO local_tags (repository, tag, digest, updated_at) VALUES ('shop/alpine', '3.20', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-02T00:00:00Z');
INSERT INTO referrers (repository, digest, subject, media_type, size, annotations) VALUES
  ('shop/alpine', 'sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'application/vnd.oci.image.manifest.v1+json', 20, '{"text": "ünïcode"}');
INSERT INTO image_pulls (digest, pulled_at) VALUES ('sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-02T03:00:00Z');
INSERT INTO image_reports (digest, report, critical, high, medium, low, unknown, fixable, scanner_version, db_updated_at, scanned_at, facts) VALUES
  ('sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '{"coverage": "full"}', 0, 1, 0, 0, 0, 1, '0.1', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z',
   '{"coverage": "full", "lacksThirdPartyAlone": false, "artifactType": null, "databaseAt": "2026-01-02T00:00:00Z", "findings": []}');
INSERT INTO image_findings (digest, vulnerability, package, installed_version, fixed_version, severity, first_seen_at, title) VALUES
  ('sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'CVE-2026-1', 'musl', '1', '2', 'HIGH', '2026-01-02T00:00:00Z', 'An overflow');
INSERT INTO image_scans (id, registry_id, repository, reference, digest, state, requested_by_id) VALUES
  ('0da00000-0000-7000-8000-000000000001', '__local__', 'shop/alpine', '3.20', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'done', '01a00000-0000-7000-8000-000000000001');
INSERT INTO image_rescans (digest, db_updated_at, attempts, tried_at) VALUES ('sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2026-01-02T00:00:00Z', 1, '2026-01-02T00:00:00Z');
INSERT INTO scan_analyses (key, diff_id, content, used_at) VALUES ('fanal::blob::1', 'sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc', '\x28b52ffd', '2026-01-02T00:00:00Z');
INSERT INTO image_analyses (digest, profile, image, keys, created_at) VALUES ('sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '0.1-1', '{}', '{fanal::blob::1}', '2026-01-02T00:00:00Z');
INSERT INTO image_rematches (id, db_updated_at, attempts, started_at, renewed_at) VALUES
  ('rematch', '2026-01-02T00:00:00Z', 1, '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
INSERT INTO image_standings (repository, digest, folder, passes, verdict, policy, mark, since, judged_at) VALUES
  ('shop/alpine', 'sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'shop', true, 'findings', 'strict', 'm', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
INSERT INTO known_vulnerabilities (vulnerability, first_seen_at) VALUES ('CVE-2026-1', '2026-01-02T00:00:00Z');
INSERT INTO standing_runs (id, attempts, filled_at) VALUES ('standings', 1, '2026-01-02T00:00:00Z');
INSERT INTO threat_feeds (kind, source, version) VALUES ('kev', 'import', '2026.01.02');
INSERT INTO threat_feed_parts (kind, part, content) VALUES ('kev', 0, '\x1f8b');
INSERT INTO audit_outbox (id, body) VALUES ('0ea00000-0000-7000-8000-000000000001', '{"event": "auth.logout"}');
INSERT INTO webhooks (id, name, folder_id, sealed_url, sealed_secret, created_by) VALUES
  ('0fa00000-0000-7000-8000-000000000001', 'chat', '03a00000-0000-7000-8000-000000000002', '1.00000000.c2VhbGVk', '1.00000000.c2VhbGVk', 'Kim');
INSERT INTO webhook_deliveries (id, webhook_id, event_id, kind, body) VALUES
  ('10a00000-0000-7000-8000-000000000001', '0fa00000-0000-7000-8000-000000000001', 'e', 'image.blocked', '{}');
INSERT INTO notifications (id, user_id, key, kind, subject, target) VALUES
  ('12a00000-0000-7000-8000-000000000001', '01a00000-0000-7000-8000-000000000001', 'k', 'image.blocked', 'shop/alpine', 'image');
INSERT INTO notification_choices (user_id, kind, page, mail) VALUES ('01a00000-0000-7000-8000-000000000001', 'image.blocked', true, false);
INSERT INTO storages (id) VALUES ('13a00000-0000-7000-8000-000000000001');
INSERT INTO maintenance_runs (id, kind, state, requested_by) VALUES ('14a00000-0000-7000-8000-000000000001', 'gc', 'done', 'Kim');
