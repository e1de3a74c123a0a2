/** SQL of the tagged images of folders with their standings, for the queries of this directory. */
import type { StandingGroup } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { Prisma } from '../database.ts';

const GROUP = Prisma.sql`
  CASE WHEN s.passes IS FALSE THEN 'blocked'
       WHEN m.artifact_type IS NOT NULL AND m.platforms = '{}' THEN 'artifact'
       WHEN s.passes AND s.verdict IN ('findings', 'clean') THEN s.verdict
       ELSE 'unscanned' END`;

/** One row for each digest in a repository; an image that was just pushed has no standing yet. */
export function placedImages(folders: 'all' | readonly string[]): Prisma.Sql {
  return Prisma.sql`
    placed AS MATERIALIZED (
      SELECT t.*, m.total_size AS size,
             CASE WHEN s.passes IS FALSE AND s.grace_until > now() THEN s.grace_until END
               AS grace_until,
             ${GROUP} AS standing
        FROM (SELECT t.repository, t.digest, ${FOLDER} AS folder, max(t.updated_at) AS pushed_at,
                     count(*)::int AS tag_count
                FROM local_tags t JOIN local_repositories r ON r.name = t.repository
               WHERE ${inFolders(folders)}
               GROUP BY t.repository, t.digest, r.namespace) t
        LEFT JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
        LEFT JOIN image_standings s ON s.repository = t.repository AND s.digest = t.digest)`;
}

export function countOf(group: StandingGroup): Prisma.Sql {
  return Prisma.sql`count(*) FILTER (WHERE standing = ${group})::int`;
}
