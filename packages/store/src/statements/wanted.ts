/**
 * Which statements are wanted, as rows of `wanted`: what is due follows from them and from what is
 * stored, so that no event can be lost.
 */
import type { StatementKind } from '@portcullis/domain';
import { SIGNATURE_TAG } from '../authorities/note-signed.ts';
import { Prisma } from '../database.ts';

/** What was judged, of images that a tag names, in folders that ask for statements. */
const JUDGED = Prisma.sql`
  image_standings s
  JOIN folders f ON f.name = s.folder AND f.statements <> 'off'
  JOIN local_manifests m ON m.repository = s.repository AND m.digest = s.digest
 WHERE s.passes IS NOT NULL AND s.policy_version IS NOT NULL AND s.verdict IS NOT NULL
   AND NOT (s.passes AND s.verdict = 'unscannable')
   AND EXISTS (SELECT FROM local_tags t
                WHERE t.repository = s.repository AND t.digest = s.digest
                  AND t.tag !~ ${SIGNATURE_TAG})`;

const IMAGE = Prisma.sql`s.repository, s.digest, s.folder, m.media_type, m.size,
  f.statements = 'with_tags' AS is_tagged`;

/** The database behind the report is no part: it is another one every few hours. */
const VERDICT_SAYS = Prisma.sql`md5(jsonb_build_array(
  s.passes, s.code, s.policy, s.policy_version, s.policy_digest, s.waivers,
  f.statements)::text)`;

/** A query for each kind. */
const WANTED: Record<StatementKind, Prisma.Sql> = {
  verdict: Prisma.sql`
    SELECT ${IMAGE}, 'verdict' AS kind, '' AS about, ${VERDICT_SAYS} AS says,
           jsonb_build_object(
             'passes', s.passes, 'code', s.code, 'waivers', s.waivers,
             'policy', jsonb_build_object('name', s.policy, 'version', s.policy_version,
                                          'digest', s.policy_digest),
             'databaseAt', s.database_at, 'at', s.judged_at) AS verdict
      FROM ${JUDGED}`,
};

export const WANTED_STATEMENTS = Prisma.sql`(${Prisma.join(Object.values(WANTED), ' UNION ALL ')})`;
