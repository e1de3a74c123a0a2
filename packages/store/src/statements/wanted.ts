/**
 * Which statements are wanted, as rows of `wanted`: what is due follows from them and from what is
 * stored, so that no event can be lost.
 */
import type { SignatureCode, StatementKind } from '@portcullis/domain';
import { SIGNATURE_TAG } from '../authorities/note-signed.ts';
import { Prisma } from '../database.ts';

const NOT_VERIFIED: SignatureCode = 'SIGNATURES_NOT_VERIFIED';

/** An image that a tag names, in a folder that asks for statements. */
const TAGGED = Prisma.sql`
  image_standings s
  JOIN folders f ON f.name = s.folder AND f.statements <> 'off'
  JOIN local_manifests m ON m.repository = s.repository AND m.digest = s.digest`;
const HAS_TAG = Prisma.sql`EXISTS (
  SELECT FROM local_tags t
   WHERE t.repository = s.repository AND t.digest = s.digest AND t.tag !~ ${SIGNATURE_TAG})`;

/** What waits for its signatures to be verified was not judged: a copy of `FAILED` would stay. */
const JUDGED = Prisma.sql`${TAGGED}
 WHERE s.passes IS NOT NULL AND s.policy_version IS NOT NULL AND s.verdict IS NOT NULL
   AND s.code IS DISTINCT FROM ${NOT_VERIFIED}
   AND NOT (s.passes AND s.verdict = 'unscannable') AND ${HAS_TAG}`;

/** All packages of all platforms were judged; a mirror has indexes without all of them. */
const SCANNED = Prisma.sql`${TAGGED}
  JOIN image_reports r ON r.digest = s.digest AND r.findings_hash IS NOT NULL`;
const IS_WHOLE = Prisma.sql`${HAS_TAG} AND NOT EXISTS (
  SELECT FROM local_contents c
   WHERE c.repository = s.repository AND c.parent = s.digest AND c.is_manifest
     AND NOT EXISTS (SELECT FROM local_manifests part
                      WHERE part.repository = c.repository AND part.digest = c.digest))`;

const SCAN = Prisma.sql`jsonb_build_object(
  'at', r.scanned_at, 'scannerVersion', r.scanner_version, 'databaseAt', r.db_updated_at)`;

const IMAGE = Prisma.sql`s.repository, s.digest, s.folder, m.media_type, m.size`;

/** The database behind the report is no part: it is another one every few hours. */
const VERDICT_SAYS = Prisma.sql`md5(jsonb_build_array(
  s.passes, s.code, s.policy, s.policy_version, s.policy_digest, s.waivers,
  f.statements)::text)`;

/** A query for each kind. */
const WANTED: Record<StatementKind, Prisma.Sql> = {
  verdict: Prisma.sql`
    SELECT ${IMAGE}, f.statements = 'with_tags' AS is_tagged, 'verdict' AS kind, '' AS about,
           ${VERDICT_SAYS} AS says,
           jsonb_build_object(
             'passes', s.passes, 'code', s.code, 'waivers', s.waivers,
             'policy', jsonb_build_object('name', s.policy, 'version', s.policy_version,
                                          'digest', s.policy_digest),
             'databaseAt', s.database_at, 'at', s.judged_at) AS facts
      FROM ${JUDGED}`,
  // What was written stays true after the analyses that it was made from are gone.
  sbom: Prisma.sql`
    SELECT ${IMAGE}, false, 'sbom', '', COALESCE(a.list_hash, written.says), ${SCAN}
      FROM ${SCANNED}
      LEFT JOIN image_analyses a ON a.digest = s.digest
      LEFT JOIN image_statements written
        ON written.repository = s.repository AND written.digest = s.digest
       AND written.kind = 'sbom' AND written.manifest IS NOT NULL
     WHERE ${IS_WHOLE} AND COALESCE(a.list_hash, written.says) IS NOT NULL`,
  vulns: Prisma.sql`
    SELECT ${IMAGE}, false, 'vulns', '', md5(r.findings_hash || r.scanner_version), ${SCAN}
      FROM ${SCANNED}
     WHERE ${IS_WHOLE}`,
  promotion: Prisma.sql`
    SELECT ${IMAGE}, false, 'promotion', p.push_id::text, md5(p.facts::text), p.facts
      FROM ${TAGGED}
      JOIN image_promotions p ON p.repository = s.repository AND p.digest = s.digest
     WHERE ${HAS_TAG}`,
};

export const WANTED_STATEMENTS = Prisma.sql`(${Prisma.join(Object.values(WANTED), ' UNION ALL ')})`;
