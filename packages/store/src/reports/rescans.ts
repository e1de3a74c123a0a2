/**
 * The queue of rescans is not a table: the remaining work follows from tags, reports and the
 * database. Rows exist only for digests that are being tried or have failed.
 */

import { storableJson } from '@portcullis/domain';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { LEASE } from '../lease.ts';
import { claimFirst, firstDue } from './first-scans.ts';
import type { Rescan, RescanProgress, ScanData } from './records.ts';
import { claimNext, dueForRetry, lockRescans, MOST_TRIES } from './rescan-rows.ts';
import { SERVED_DIGESTS } from './served-digests.ts';

export function createRescans(db: Database) {
  return {
    /**
     * The next digest, newest tag first; null where none is left, another one is being scanned, or
     * a requested scan is queued or running. Only digests that were scanned before, with older
     * advisories, or without the index for Java archives. Images that can be re-matched are left to
     * the re-match where `rematched` names the profile that it uses.
     */
    claim: (data: ScanData, rematched: string | null = null) => claim(db, data, rematched),
    /**
     * The next digest without a report, newest push first, in folders that scan what is pushed;
     * null where none is left.
     */
    claimFirst: (data: ScanData) => claimFirst(db, data),
    /** What `claimFirst` would return one by one. */
    firstDue: (data: ScanData, limit: number) => firstDue(db, data, limit),
    async renew({ digest, attempts }: Rescan): Promise<boolean> {
      const written = await run(
        () => db.$executeRaw`
          UPDATE image_rescans SET lease_until = ${LEASE}
           WHERE digest = ${digest} AND attempts = ${attempts} AND lease_until IS NOT NULL`,
      );
      return written === 1;
    },
    /** The report has been stored. */
    async finish({ digest, attempts }: Rescan): Promise<void> {
      await run(() => db.imageRescan.deleteMany({ where: { digest, attempts } }));
    },
    /** Tried again later where it `mayPass`, at most three times per database. */
    async fail(
      { digest, attempts }: Rescan,
      error: { code: string; message: string },
      mayPass: boolean,
    ): Promise<void> {
      const tries = mayPass ? attempts : Math.max(attempts, MOST_TRIES);
      await run(
        () => db.$executeRaw`
          UPDATE image_rescans
             SET error = ${storableJson(error)}::jsonb || jsonb_build_object('isFinal',
                   ${tries >= MOST_TRIES}::boolean OR COALESCE((error ->> 'isFinal')::boolean, FALSE)),
                 lease_until = NULL, tried_at = now(), attempts = ${tries}
           WHERE digest = ${digest} AND attempts = ${attempts}`,
      );
    },
    /** Undoes the claim: the worker stops. */
    async release({ digest, attempts }: Rescan): Promise<void> {
      await run(() => db.imageRescan.deleteMany({ where: { digest, attempts } }));
    },
    progress: (data: ScanData) => progress(db, data),
  };
}

/** Digests with their reports; `r` is set while one is tried, or after it failed. */
const SCANNED = Prisma.sql`
  ${SERVED_DIGESTS}
  JOIN image_reports i ON i.digest = t.digest
  LEFT JOIN image_rescans r ON r.digest = t.digest`;

/** Where nothing could be judged, other advisories change nothing. */
export const JUDGED = Prisma.sql`NOT ('nothing_found' = ANY (i.gaps))`;

function outdated(data: ScanData): Prisma.Sql {
  return Prisma.sql`(${JUDGED} AND (${isOlder(data)} OR ${awaitsJava(data)}) OR ${LACKS_PARTS})`;
}

/**
 * Some manifest below the index has no report, because it was pushed after the index, or its report
 * was removed with another image; or that of the index does not cover it, because a mirror brought
 * it in later, or another repository has more of the index. Only a scan makes that.
 */
const LACKS_PARTS = Prisma.sql`EXISTS (
  SELECT 1 FROM local_manifests holder
    JOIN local_contents c ON c.repository = holder.repository AND c.parent = holder.digest
    JOIN local_manifests m ON m.repository = c.repository AND m.digest = c.digest
   WHERE holder.digest = t.digest AND c.is_manifest AND m.media_type !~ '[.](index|list)[.]'
     AND (NOT EXISTS (SELECT 1 FROM image_reports p WHERE p.digest = c.digest)
          OR (cardinality(i.parts) > 0 AND NOT c.digest = ANY (i.parts))))`;

/** The report was made with older advisories. */
export function isOlder({ dbUpdatedAt }: ScanData): Prisma.Sql {
  return Prisma.sql`(i.db_updated_at IS NULL OR date_trunc('milliseconds', i.db_updated_at::timestamptz) < ${dbUpdatedAt})`;
}

/** The report was made before the index of Java archives arrived: only a scan can use it. */
export function awaitsJava({ javaSince }: ScanData): Prisma.Sql {
  return javaSince === null
    ? Prisma.sql`FALSE`
    : Prisma.sql`('java_index_missing' = ANY (i.gaps) AND i.scanned_at < ${javaSince})`;
}

/** `a` has what a re-match needs, and no re-match with this database has failed. */
export function isRematched(profile: string, { dbUpdatedAt }: ScanData): Prisma.Sql {
  return Prisma.sql`(a.profile = ${profile} AND (a.failed_at IS NULL OR a.failed_at < ${dbUpdatedAt}))`;
}

/** Images that the re-match takes are not scanned. */
function isScanned(rematched: string | null, data: ScanData): Prisma.Sql {
  if (rematched === null) return Prisma.sql`TRUE`;
  return Prisma.sql`(${awaitsJava(data)} OR ${LACKS_PARTS} OR NOT EXISTS (
    SELECT 1 FROM image_analyses a WHERE a.digest = t.digest AND ${isRematched(rematched, data)}))`;
}

async function claim(
  db: Database,
  data: ScanData,
  rematched: string | null,
): Promise<Rescan | null> {
  return run(() =>
    db.$transaction(async (tx) => {
      await lockRescans(tx);
      await tx.$executeRaw`
        DELETE FROM image_rescans r
         WHERE r.lease_until IS NULL AND NOT EXISTS (SELECT 1 FROM local_manifests m WHERE m.digest = r.digest)
           AND NOT EXISTS (SELECT 1 FROM local_tags t WHERE t.digest = r.digest)`;
      const [taken] = await tx.$queryRaw<Rescan[]>`
        WITH next AS (
          SELECT t.digest, t.repository FROM ${SCANNED}
            LEFT JOIN image_pulls p ON p.digest = t.digest
           WHERE ${outdated(data)} AND ${isScanned(rematched, data)} AND ${dueForRetry(data)}
             AND NOT EXISTS (SELECT 1 FROM image_rescans WHERE lease_until > now())
             AND NOT EXISTS (SELECT 1 FROM staging_jobs WHERE status IN ('scan_queued', 'scanning'))
             AND NOT EXISTS (SELECT 1 FROM image_scans
                              WHERE state = 'running'
                                 OR (state = 'queued' AND (not_before IS NULL OR not_before <= now())))
           ORDER BY greatest(p.pulled_at, t.updated_at) DESC, t.digest LIMIT 1),
        ${claimNext(data)}`;
      return taken ?? null;
    }),
  );
}

async function progress(db: Database, data: ScanData): Promise<RescanProgress> {
  const failed = Prisma.sql`r.db_updated_at >= ${data.dbUpdatedAt} AND r.attempts >= ${MOST_TRIES} AND r.error IS NOT NULL`;
  const [counts] = await run(
    () => db.$queryRaw<RescanProgress[]>`
      SELECT count(*) FILTER (WHERE ${JUDGED} AND NOT (${outdated(data)}))::int AS done,
             count(*) FILTER (WHERE ${outdated(data)} AND (${failed}) IS NOT TRUE)::int AS left,
             count(*) FILTER (WHERE ${outdated(data)} AND ${failed})::int AS failed
        FROM ${SCANNED}`,
  );
  return counts ?? { done: 0, left: 0, failed: 0 };
}
