-- runs-since: 20261121193000_audit_days
-- Which blobs the next pull of a job downloads. Null: a row that an older release wrote.
ALTER TABLE "staging_jobs" ADD COLUMN "pull_mode" TEXT;

-- Entries of a timeline were sentences; each now has a kind, and parameters where it needs them.
-- The sentence stays beside it: older releases that still run read it.
CREATE FUNCTION pg_temp.timeline_event(note TEXT) RETURNS JSONB LANGUAGE SQL IMMUTABLE AS $$
  SELECT CASE
    WHEN note IS NULL THEN '{"kind": "status_changed"}'::jsonb
    WHEN note = 'scanning is off' THEN '{"kind": "scan_disabled"}'
    WHEN note = 'not scanned again: this very image was, by the same scanner with the same database'
      THEN '{"kind": "scan_reused"}'
    WHEN note = 'the scan needs layers that were left at their source' THEN '{"kind": "layers_missing"}'
    WHEN note = 'the worker that had pulled the image is gone with its storage: it is pulled again'
      THEN '{"kind": "storage_lost"}'
    WHEN note = 'the vulnerability database is newer than the scan: it is made again before the push'
      THEN '{"kind": "database_newer"}'
    WHEN note = 'the verdict follows a policy that changed since the scan' THEN '{"kind": "policy_changed"}'
    WHEN note = 'handed back by a stopping worker' THEN '{"kind": "worker_stopped"}'
    WHEN note = 'waits again, so that jobs of other accounts can run; it goes on where it stopped'
      THEN '{"kind": "preempted"}'
    WHEN note = 'referrers that are images were left at the source: an image needs a pull and a scan of its own'
      THEN '{"kind": "referrers_left"}'
    WHEN note = 'retried' THEN '{"kind": "retried"}'
    WHEN note = 'scanned again: the index of Java archives has arrived' THEN '{"kind": "java_index_arrived"}'
    WHEN note LIKE 'to %/%:%' THEN jsonb_build_object('kind', 'push_requested', 'destination', substr(note, 4))
    ELSE jsonb_build_object('kind', 'noted', 'message', note)
  END
$$;

UPDATE "staging_jobs" job
   SET "timeline" = (
     SELECT jsonb_agg(entry || pg_temp.timeline_event(entry ->> 'note') ORDER BY at)
       FROM jsonb_array_elements(job."timeline") WITH ORDINALITY AS entries(entry, at))
 WHERE jsonb_array_length("timeline") > 0;

UPDATE "staging_jobs"
   SET "pull_mode" = CASE
     WHEN NOT "auto" THEN 'eager'
     WHEN (
       SELECT entry ->> 'kind'
         FROM jsonb_array_elements("timeline") WITH ORDINALITY AS entries(entry, at)
        WHERE entry ->> 'kind' IN ('layers_missing', 'retried')
        ORDER BY at DESC LIMIT 1) = 'layers_missing' THEN 'complete'
     ELSE 'lazy'
   END;
