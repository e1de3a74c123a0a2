/** The standings of one repository's images as they were announced last, for lists of its tags. */
import { type Database, run } from '../database.ts';
import type { AnnouncedStanding } from './records.ts';

export async function listAnnounced(
  db: Database,
  repository: string,
  digests: readonly string[],
): Promise<AnnouncedStanding[]> {
  if (digests.length === 0) return [];
  return run(
    () => db.$queryRaw<AnnouncedStanding[]>`
      SELECT d.digest, coalesce(m.artifact_type IS NOT NULL AND m.platforms = '{}', FALSE)
               AS "isArtifact",
             s.passes, s.since, s.grace_until AS "graceUntil"
        FROM unnest(${[...digests]}::text[]) AS d (digest)
        LEFT JOIN local_manifests m ON m.repository = ${repository} AND m.digest = d.digest
        LEFT JOIN image_standings s ON s.repository = ${repository} AND s.digest = d.digest`,
  );
}
