/**
 * Which images are in use although no tag need lead to them: what runs in clusters, and what is
 * pulled from mirrors by its digest alone, as pods with pinned images do.
 */
import { type Database, run } from '../database.ts';
import { runningIn } from './list-running.ts';
import type { ImageInUse } from './records.ts';

const EVERYWHERE = { folders: 'all', silent: [] } as const;

export function createImagesInUse(db: Database) {
  return {
    /** By repository and digest. */
    all: () => all(db),
    /** Tags of a repository whose image, or one of its platforms, runs in a cluster. */
    runningTags: (repository: string) => runningTags(db, repository),
  };
}

function all(db: Database): Promise<ImageInUse[]> {
  return run(
    () => db.$queryRaw<ImageInUse[]>`
      SELECT repository, digest FROM (${runningIn(EVERYWHERE)}) running
      UNION
      SELECT t.repository, t.reference FROM mirror_tags t
        JOIN folders f ON f.name = split_part(t.repository, '/', 1)
        JOIN mirrors m ON m.folder_id = f.id
       WHERE strpos(t.reference, ':') > 0
         AND t.used_at > now() - m.keep_days * interval '1 day'`,
  );
}

async function runningTags(db: Database, repository: string): Promise<Set<string>> {
  const rows = await run(
    () => db.$queryRaw<{ tag: string }[]>`
      WITH running AS (
        SELECT digest FROM (${runningIn(EVERYWHERE)}) ran
         WHERE ran.repository = ${repository})
      SELECT l.tag FROM local_tags l
       WHERE l.repository = ${repository} AND (
         l.digest IN (SELECT digest FROM running)
         OR EXISTS (SELECT FROM local_contents c JOIN running ON running.digest = c.digest
                     WHERE c.repository = l.repository AND c.parent = l.digest AND c.is_manifest))`,
  );
  return new Set(rows.map(({ tag }) => tag));
}
