/**
 * Which digests have signatures that were not read yet, or not since a signature came, went or
 * ended, an authority was saved, a policy asks for another one, or the shipped root became another
 * one.
 */
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { FOLDER } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { NAMED } from './authorities.ts';
import { SIGNATURE_TAG } from './note-signed.ts';
import type { PulledDigest, SignedDigest } from './records.ts';

/** Of `s`, a row of image_signatures. */
const IS_FREE = Prisma.sql`(s.lease_until IS NULL OR s.lease_until < now())
  AND (s.not_before IS NULL OR s.not_before < now())`;

/** As JSON writes a moment, so that their texts are in the same order. */
const NOW = Prisma.sql`jsonb_build_object('now',
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

function isOld(root: string): Prisma.Sql {
  return Prisma.sql`(s.checked_at IS NULL OR s.read < s.noted OR s.root IS DISTINCT FROM ${root}
    OR NOT s.asked_of @> asked.versions
    OR jsonb_path_exists(s.facts, '$[*].verified.until ? (@ <= $now)', ${NOW}))`;
}

/** Of the digest of `s`, for the version of `authority`. */
const VERIFIED_HERE = Prisma.sql`
  SELECT FROM image_signatures l, jsonb_array_elements(l.facts) fact
   WHERE l.digest = s.digest AND l.registry = ${LOCAL_REGISTRY_ID}
     AND fact ->> 'authority' = authority.key AND fact -> 'authorityVersion' = authority.value
     AND fact -> 'verified' <> 'null'`;

/** Of the built-in registry: the ones that were pushed last come first. */
export function dueHere(db: Database, root: string, limit: number): Promise<SignedDigest[]> {
  return run(
    () => db.$queryRaw<SignedDigest[]>`
      WITH asked AS MATERIALIZED (
        SELECT f.name AS folder, jsonb_object_agg(a.name, a.version) AS versions
          FROM folders f JOIN policies p ON p.id = f.policy_id, ${NAMED}
          JOIN authorities a ON a.name = named #>> '{}'
         GROUP BY f.name)
      SELECT m.digest, ${LOCAL_REGISTRY_ID} AS registry, m.repository
        FROM asked
        JOIN local_repositories r ON asked.folder = ${FOLDER}
        JOIN local_manifests m ON m.repository = r.name
        LEFT JOIN image_signatures s ON s.digest = m.digest AND s.registry = ${LOCAL_REGISTRY_ID}
                                    AND s.repository = m.repository
       WHERE m.subject IS NULL AND (m.artifact_type IS NULL OR cardinality(m.platforms) > 0)
         AND ${isOld(root)} AND ${IS_FREE}
         AND NOT EXISTS (SELECT FROM local_tags t
                          WHERE t.repository = m.repository AND t.digest = m.digest
                            AND t.tag ~ ${SIGNATURE_TAG})
       ORDER BY m.pushed_at DESC, m.repository, m.digest
       LIMIT ${limit}`,
  );
}

/**
 * Of other registries that a job pulled the digest from, unless a signature of it verifies here for
 * each authority, and whatever else verified there. Each has the newest such job, which knows how
 * to open its source.
 */
export function dueElsewhere(db: Database, root: string, limit: number): Promise<PulledDigest[]> {
  return run(
    () => db.$queryRaw<PulledDigest[]>`
      WITH asked AS MATERIALIZED (
        SELECT jsonb_object_agg(a.name, a.version) AS versions
          FROM policies p, ${NAMED} JOIN authorities a ON a.name = named #>> '{}'
         WHERE EXISTS (SELECT FROM folders f WHERE f.policy_id = p.id)
            OR EXISTS (SELECT FROM registries r WHERE r.policy_id = p.id))
      SELECT s.digest, s.registry, s.repository, j.id AS "jobId"
        FROM asked
        JOIN image_signatures s ON s.registry <> ${LOCAL_REGISTRY_ID}
        JOIN LATERAL (SELECT j.id FROM staging_jobs j
                       WHERE j.digest = s.digest AND j.image = s.repository
                         AND j.source ->> 'host' = s.registry
                       ORDER BY j.created_at DESC LIMIT 1) j ON TRUE
       WHERE ${isOld(root)} AND ${IS_FREE}
         AND EXISTS (SELECT FROM jsonb_each(asked.versions) authority
                      WHERE NOT EXISTS (${VERIFIED_HERE})
                         OR EXISTS (SELECT FROM jsonb_array_elements(s.facts) had
                                     WHERE had ->> 'authority' = authority.key
                                       AND had -> 'verified' <> 'null'
                                       AND NOT EXISTS (
                                         ${VERIFIED_HERE}
                                         AND fact -> 'predicateType' = had -> 'predicateType')))
       ORDER BY s.checked_at DESC NULLS FIRST, s.repository, s.digest
       LIMIT ${limit}`,
  );
}
