-- runs-since: 20261121193000_audit_days
-- Finds out whether another repository of a folder has a manifest. Apart from other changes: pushes wait while it is
-- created, and hold what those would wait for.
CREATE INDEX "local_manifests_digest_idx" ON "local_manifests"("digest");
