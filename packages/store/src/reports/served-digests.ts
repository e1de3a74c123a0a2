/**
 * The digests of the built-in registry whose reports follow the vulnerability database: tagged
 * ones, and untagged ones that were pushed or pulled lately, because they are pulled by digest.
 * Parts of a tagged index are judged with it. `t` has `digest`, `repository` and `updated_at`.
 */
import { Prisma } from '../database.ts';

export const SERVED_DIGESTS = Prisma.sql`
  (SELECT DISTINCT ON (digest) digest, repository, updated_at FROM (
     SELECT digest, repository, updated_at FROM local_tags
      UNION ALL
     SELECT m.digest, m.repository, greatest(m.pushed_at, p.pulled_at)
       FROM local_manifests m LEFT JOIN image_pulls p ON p.digest = m.digest
      WHERE greatest(m.pushed_at, p.pulled_at) > now() - interval '90 days'
        AND NOT EXISTS (SELECT 1 FROM local_tags tagged WHERE tagged.digest = m.digest)
        AND NOT EXISTS (
              SELECT 1 FROM local_contents c
                JOIN local_tags tagged ON tagged.repository = c.repository
                                      AND tagged.digest = c.parent
               WHERE c.repository = m.repository AND c.digest = m.digest AND c.is_manifest)
   ) served ORDER BY digest, updated_at DESC) t`;
