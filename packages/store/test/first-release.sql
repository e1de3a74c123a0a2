-- What an installation of the first release (migration 20261121000000_init) may hold: of every table something.
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
   '[{"at": "2026-01-02T03:04:05.678Z", "status": "pull_queued"}, {"at": "2026-01-02T03:04:09.000Z", "status": "push_queued", "note": "to localhost:5000/team/alpine:3.20"}]', '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z'),
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
