/**
 * The first scans of manifests in the built-in registry: pushed over `/v2`, tagged or copied there,
 * or pushed without a scan. As for rescans, the remaining work follows from manifests and reports;
 * rows of image_rescans exist only for digests that are being tried or have failed.
 */
import { FOLDER } from '../accounts/folder-filter.ts';
import { type Database, inTransaction, Prisma, run } from '../database.ts';
import type { Rescan, ScanData } from './records.ts';
import { claimNext, dueForRetry, lockRescans } from './rescan-rows.ts';

/**
 * Manifests without a report in folders that scan what is pushed. What is not tagged may belong to
 * an index that is pushed next, whose scan covers it. Artifacts may be large, such as a mirror of
 * the vulnerability database, and no scan says more about them than their type.
 *
 * The few without a report are found before the other conditions are looked at: a registry may have
 * a hundred thousand manifests.
 */
const UNSCANNED = Prisma.sql`
  (WITH bare AS MATERIALIZED (
     SELECT m.digest, m.repository, m.subject, m.pushed_at FROM local_manifests m
      WHERE (m.artifact_type IS NULL OR cardinality(m.platforms) > 0)
        AND NOT EXISTS (SELECT 1 FROM image_reports i WHERE i.digest = m.digest))
   SELECT DISTINCT ON (m.digest) m.digest, m.repository, m.pushed_at
     FROM bare m
     JOIN local_repositories r ON r.name = m.repository
     JOIN folders gate ON gate.name = ${FOLDER} AND gate.push_gate <> 'off'
    WHERE EXISTS (SELECT 1 FROM local_tags t WHERE t.repository = m.repository AND t.digest = m.digest)
       OR (m.subject IS NULL AND m.pushed_at < now() - interval '1 minute'
           AND NOT EXISTS (SELECT 1 FROM local_contents c
                            WHERE c.repository = m.repository AND c.digest = m.digest AND c.is_manifest))
    ORDER BY m.digest, m.pushed_at DESC) t
  LEFT JOIN image_rescans r ON r.digest = t.digest`;

function isDue(data: ScanData): Prisma.Sql {
  return Prisma.sql`${dueForRetry(data)} AND (r.lease_until IS NULL OR r.lease_until < now())`;
}

/** Does not wait for rescans: a pull may wait for the image. */
export function claimFirst(db: Database, data: ScanData): Promise<Rescan | null> {
  return inTransaction(db, async (tx) => {
    await lockRescans(tx);
    const [taken] = await tx.$queryRaw<Rescan[]>`
      WITH next AS (
        SELECT t.digest, t.repository FROM ${UNSCANNED}
         WHERE ${isDue(data)}
         ORDER BY t.pushed_at DESC, t.digest LIMIT 1),
      ${claimNext(data)}`;
    return taken ?? null;
  });
}

export async function firstDue(db: Database, data: ScanData, limit: number): Promise<string[]> {
  const rows = await run(
    () => db.$queryRaw<{ digest: string }[]>`
      SELECT t.digest FROM ${UNSCANNED}
       WHERE ${isDue(data)} ORDER BY t.pushed_at DESC, t.digest LIMIT ${limit}`,
  );
  return rows.map(({ digest }) => digest);
}
