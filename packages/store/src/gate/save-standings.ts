/**
 * Saves judgements of tagged images in one transaction with everything that follows from them: pass
 * records, audit events, and the vulnerabilities that no image had before.
 */
import { FOLDER } from '../accounts/folder-filter.ts';
import { putReady } from '../audit/outbox.ts';
import { type Connection, type Database, inTransaction, Prisma } from '../database.ts';
import type {
  AppearedEvents,
  AppearedVulnerability,
  FolderPassRecord,
  JudgedImageRow,
  Judgements,
  StandingRun,
} from './records.ts';
import { STANDING_RUN } from './standing-run.ts';
import { WORST_SEVERITY } from './worst-severity.ts';

export function saveJudged(
  db: Database,
  { attempts }: StandingRun,
  { rows, records, events }: Judgements,
  eventsOf: AppearedEvents,
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    const [held] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM standing_runs
       WHERE id = ${STANDING_RUN} AND attempts = ${attempts} AND lease_until > now() FOR SHARE`;
    if (!held) return null;
    await tx.$executeRaw(upsert(rows));
    if (records.length > 0) await saveRecords(tx, records);
    const appeared = await eventsOf(await appearedIn(tx, rows));
    const all = [...events, ...appeared];
    await putReady(tx, all);
    return all.length;
  });
}

function upsert(judged: readonly JudgedImageRow[]): Prisma.Sql {
  const rows = judged.map(
    (row) => Prisma.sql`(${row.repository}, ${row.digest}, ${row.folder}, ${row.passes}::boolean,
      ${row.verdict}, ${row.waived}::boolean, ${row.code}, ${row.blocking}::text[], ${row.policy},
      ${row.policyVersion}, ${row.policyDigest}, ${row.waivers}::text[], ${row.mark},
      ${row.reportAt}::timestamptz, ${row.databaseAt}, ${row.validUntil}::timestamptz,
      ${row.graceUntil}::timestamptz, FALSE, now(),
      ${row.isChanged ? Prisma.sql`now()` : Prisma.sql`NULL`}, now())`,
  );
  return Prisma.sql`
    INSERT INTO image_standings (repository, digest, folder, passes, verdict, waived, code, blocking,
      policy, policy_version, policy_digest, waivers, mark, report_at, database_at, valid_until, grace_until, stale, since, changed_at, judged_at)
    VALUES ${Prisma.join(rows)}
    ON CONFLICT (repository, digest) DO UPDATE SET
      folder = excluded.folder, verdict = excluded.verdict, waived = excluded.waived,
      code = excluded.code,
      blocking = excluded.blocking, policy = excluded.policy,
      policy_version = excluded.policy_version, policy_digest = excluded.policy_digest,
      waivers = excluded.waivers, mark = excluded.mark,
      report_at = excluded.report_at, database_at = excluded.database_at,
      valid_until = excluded.valid_until, grace_until = excluded.grace_until, stale = FALSE,
      judged_at = excluded.judged_at,
      since = CASE WHEN image_standings.passes IS DISTINCT FROM excluded.passes
                   THEN excluded.since ELSE image_standings.since END,
      changed_at = coalesce(excluded.changed_at, image_standings.changed_at),
      passes = excluded.passes`;
}

/** Folders that were removed meanwhile have no records. */
function saveRecords(tx: Connection, records: readonly FolderPassRecord[]): Promise<number> {
  const rows = records.map(
    ({ folder, digest, passedAt, blockedAt }) =>
      Prisma.sql`(${folder}, ${digest}, ${passedAt}::timestamptz, ${blockedAt}::timestamptz)`,
  );
  return tx.$executeRaw`
    INSERT INTO pass_records (folder_id, digest, passed_at, blocked_at)
    SELECT f.id, r.digest, r.passed_at, r.blocked_at
      FROM (VALUES ${Prisma.join(rows)}) AS r (folder, digest, passed_at, blocked_at)
      JOIN folders f ON f.name = r.folder
    ON CONFLICT (folder_id, digest) DO UPDATE
      SET passed_at = excluded.passed_at, blocked_at = excluded.blocked_at, updated_at = now()`;
}

async function appearedIn(
  tx: Connection,
  judged: readonly JudgedImageRow[],
): Promise<AppearedVulnerability[]> {
  const digests = [...new Set(judged.map(({ digest }) => digest))];
  const added = await tx.$queryRaw<{ vulnerability: string }[]>`
    INSERT INTO known_vulnerabilities (vulnerability, first_seen_at)
    SELECT DISTINCT vulnerability, now() FROM image_findings WHERE digest = ANY(${digests})
    ON CONFLICT (vulnerability) DO NOTHING RETURNING vulnerability`;
  if (added.length === 0) return [];
  const names = added.map(({ vulnerability }) => vulnerability);
  return tx.$queryRaw<AppearedVulnerability[]>`
    SELECT f.vulnerability,
           ${WORST_SEVERITY} AS severity,
           count(DISTINCT (t.repository, t.digest))::int AS images,
           array_agg(DISTINCT ${FOLDER}) AS folders
      FROM image_findings f
      JOIN local_tags t ON t.digest = f.digest
      JOIN local_repositories r ON r.name = t.repository
     WHERE f.vulnerability = ANY(${names})
     GROUP BY f.vulnerability ORDER BY f.vulnerability`;
}
