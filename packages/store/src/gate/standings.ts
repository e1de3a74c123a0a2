/** The standings that were announced last, and the worker that judges: image_standings. */
import { SEVERITIES } from '@portcullis/domain';
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { putReady } from '../audit/outbox.ts';
import { type Database, inTransaction, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import { LEASE } from '../lease.ts';
import type {
  AppearedVulnerability,
  ChangedStanding,
  DueStanding,
  JudgedImageRow,
  KeptStandings,
  NewVulnerability,
  StandingChanges,
  StandingMarks,
  StandingRun,
} from '../port.ts';

const ID = 'current';
/** Also what no change announced is judged again then. */
const JUDGED_DAILY = Prisma.sql`interval '1 day'`;

export function createStandings(db: Database): KeptStandings {
  return {
    claim: () => claim(db),
    async renew({ attempts }) {
      return (await lease(db, attempts, LEASE)) === 1;
    },
    async release({ attempts }) {
      await lease(db, attempts, Prisma.sql`NULL`);
    },
    noteWaivers: (waivers) => noteWaivers(db, waivers),
    async noteReports(digests) {
      await run(
        () => db.$executeRaw`
          UPDATE image_standings s SET stale = TRUE
           WHERE digest = ANY(${[...digests]}) AND NOT stale
             AND (EXISTS (SELECT 1 FROM image_scans c
                           WHERE c.digest = s.digest AND c.state = 'failed')
                  OR EXISTS (SELECT 1 FROM image_rescans c
                              WHERE c.digest = s.digest AND c.error IS NOT NULL))`,
      );
    },
    due: (marks, limit) => due(db, marks, limit),
    save: (holder, judged, events) =>
      inTransaction(db, async (tx) => {
        const [held] = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM standing_runs
           WHERE id = ${ID} AND attempts = ${holder.attempts} AND lease_until > now() FOR SHARE`;
        if (!held) return false;
        await tx.$executeRaw(upsert(judged));
        await putReady(tx, events);
        return true;
      }),
    noteVulnerabilities: (digests, eventsOf) => noteVulnerabilities(db, digests, eventsOf),
    async filled({ attempts }) {
      await run(
        () => db.$executeRaw`
          UPDATE standing_runs SET filled_at = now()
           WHERE id = ${ID} AND attempts = ${attempts} AND filled_at IS NULL`,
      );
    },
    removeUntagged: () =>
      run(
        () => db.$executeRaw`
          DELETE FROM image_standings s WHERE NOT EXISTS (
            SELECT 1 FROM local_tags t WHERE t.repository = s.repository AND t.digest = s.digest)`,
      ),
    owners: (folder, limit) =>
      run(
        () => db.$queryRaw<{ id: string; username: string }[]>`
          SELECT DISTINCT u.id::text AS id, u.username
            FROM folder_grants g
            JOIN folders f ON f.id = g.folder_id AND f.name = ${folder}
            JOIN group_members m ON m.group_id = g.group_id
            JOIN users u ON u.id = m.user_id AND NOT u.disabled
           WHERE g.can_push
           ORDER BY u.username LIMIT ${limit}`,
      ),
    changes: (asked) => changes(db, asked),
    counts: () =>
      run(
        () => db.$queryRaw<{ passes: boolean | null; images: number }[]>`
          SELECT passes, count(*)::int AS images FROM image_standings GROUP BY passes`,
      ),
  };
}

async function claim(db: Database): Promise<StandingRun | null> {
  const [claimed] = await run(
    () => db.$queryRaw<StandingRun[]>`
      INSERT INTO standing_runs (id, attempts, lease_until) VALUES (${ID}, 1, ${LEASE})
      ON CONFLICT (id) DO UPDATE
        SET attempts = standing_runs.attempts + 1, lease_until = excluded.lease_until
      WHERE standing_runs.lease_until IS NULL OR standing_runs.lease_until < now()
      RETURNING attempts, filled_at AS "filledAt"`,
  );
  return claimed ?? null;
}

function lease(db: Database, attempts: number, until: Prisma.Sql): Promise<number> {
  return run(
    () => db.$executeRaw`
      UPDATE standing_runs SET lease_until = ${until}
       WHERE id = ${ID} AND attempts = ${attempts} AND lease_until IS NOT NULL`,
  );
}

type NotedWaiver = { id: string; vulnerability: string };

function noteWaivers(db: Database, waivers: readonly NotedWaiver[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    const row = await tx.standingRun.findUnique({ where: { id: ID }, select: { waivers: true } });
    // Contains what this function wrote.
    const before = (row?.waivers ?? []) as unknown as NotedWaiver[];
    const changed = differing(before, waivers);
    if (changed.length === 0) return 0;
    const noted = waivers.map(({ id, vulnerability }) => ({ id, vulnerability }));
    await tx.standingRun.update({ where: { id: ID }, data: { waivers: json(noted) } });
    return tx.$executeRaw`
      UPDATE image_standings SET stale = TRUE
       WHERE NOT stale AND digest IN (
         SELECT digest FROM image_findings WHERE vulnerability = ANY(${changed}))`;
  });
}

/** The vulnerabilities of waivers that only one of the lists has. */
function differing(before: readonly NotedWaiver[], after: readonly NotedWaiver[]): string[] {
  const only = (some: readonly NotedWaiver[], others: readonly NotedWaiver[]) => {
    const ids = new Set(others.map(({ id }) => id));
    return some.filter(({ id }) => !ids.has(id)).map(({ vulnerability }) => vulnerability);
  };
  return [...new Set([...only(before, after), ...only(after, before)])];
}

type DueRow = Omit<DueStanding, 'before'> & { isKnown: boolean; passes: boolean | null };

async function due(
  db: Database,
  { folders, otherwise }: StandingMarks,
  limit: number,
): Promise<DueStanding[]> {
  const rows = await run(
    () => db.$queryRaw<DueRow[]>`
      WITH marks AS (
        SELECT * FROM unnest(${[...folders.keys()]}::text[], ${[...folders.values()]}::text[])
          AS named (folder, mark))
      SELECT t.repository, t.digest, t.folder,
             coalesce(m.artifact_type IS NOT NULL AND m.platforms = '{}', FALSE) AS "isArtifact",
             s.digest IS NOT NULL AS "isKnown", s.passes
        FROM (SELECT t.repository, t.digest, max(t.updated_at) AS pushed_at, ${FOLDER} AS folder
                FROM local_tags t JOIN local_repositories r ON r.name = t.repository
               GROUP BY t.repository, t.digest, r.namespace) t
        LEFT JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
        LEFT JOIN image_reports i ON i.digest = t.digest
        LEFT JOIN image_standings s ON s.repository = t.repository AND s.digest = t.digest
        LEFT JOIN image_pulls p ON p.digest = t.digest
        LEFT JOIN marks ON marks.folder = t.folder
       WHERE s.digest IS NULL OR s.stale OR s.folder <> t.folder
          OR s.mark <> coalesce(marks.mark, ${otherwise})
          OR s.report_at IS DISTINCT FROM i.scanned_at
          OR (s.code = 'DATABASE_TOO_OLD' AND s.database_at IS DISTINCT FROM i.db_updated_at)
          OR s.valid_until <= now() OR s.judged_at < now() - ${JUDGED_DAILY}
       ORDER BY greatest(p.pulled_at, t.pushed_at) DESC, t.repository, t.digest
       LIMIT ${limit}`,
  );
  return rows.map(({ isKnown, passes, ...place }) => ({
    ...place,
    before: isKnown ? { passes } : null,
  }));
}

function upsert(judged: readonly JudgedImageRow[]): Prisma.Sql {
  const rows = judged.map(
    (row) => Prisma.sql`(${row.repository}, ${row.digest}, ${row.folder}, ${row.passes}::boolean,
      ${row.verdict}, ${row.code}, ${row.blocking}::text[], ${row.policy}, ${row.mark},
      ${row.reportAt}::timestamptz, ${row.databaseAt}, ${row.validUntil}::timestamptz, FALSE, now(),
      ${row.isChanged ? Prisma.sql`now()` : Prisma.sql`NULL`}, now())`,
  );
  return Prisma.sql`
    INSERT INTO image_standings (repository, digest, folder, passes, verdict, code, blocking, policy,
      mark, report_at, database_at, valid_until, stale, since, changed_at, judged_at)
    VALUES ${Prisma.join(rows)}
    ON CONFLICT (repository, digest) DO UPDATE SET
      folder = excluded.folder, verdict = excluded.verdict, code = excluded.code,
      blocking = excluded.blocking, policy = excluded.policy, mark = excluded.mark,
      report_at = excluded.report_at, database_at = excluded.database_at,
      valid_until = excluded.valid_until, stale = FALSE, judged_at = excluded.judged_at,
      since = CASE WHEN image_standings.passes IS DISTINCT FROM excluded.passes
                   THEN excluded.since ELSE image_standings.since END,
      changed_at = coalesce(excluded.changed_at, image_standings.changed_at),
      passes = excluded.passes`;
}

const RANK = Prisma.sql`array_position(${[...SEVERITIES]}::text[], f.severity)`;
/** Packages may rate it differently. */
const WORST = Prisma.sql`(array_agg(f.severity ORDER BY ${RANK}))[1]`;
const MOST_VULNERABILITIES = 50;

function noteVulnerabilities(
  db: Database,
  digests: readonly string[],
  eventsOf: Parameters<KeptStandings['noteVulnerabilities']>[1],
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const added = await tx.$queryRaw<{ vulnerability: string }[]>`
      INSERT INTO known_vulnerabilities (vulnerability, first_seen_at)
      SELECT DISTINCT vulnerability, now() FROM image_findings WHERE digest = ANY(${[...digests]})
      ON CONFLICT (vulnerability) DO NOTHING RETURNING vulnerability`;
    if (added.length === 0) return 0;
    const names = added.map(({ vulnerability }) => vulnerability);
    const found = await tx.$queryRaw<AppearedVulnerability[]>`
      SELECT f.vulnerability,
             ${WORST} AS severity,
             count(DISTINCT (t.repository, t.digest))::int AS images,
             array_agg(DISTINCT ${FOLDER}) AS folders
        FROM image_findings f
        JOIN local_tags t ON t.digest = f.digest
        JOIN local_repositories r ON r.name = t.repository
       WHERE f.vulnerability = ANY(${names})
       GROUP BY f.vulnerability ORDER BY f.vulnerability`;
    const events = await eventsOf(found);
    await putReady(tx, events);
    return events.length;
  });
}

const MOST_TAGS = 20;

async function changes(
  db: Database,
  { folders, since, limit }: Parameters<KeptStandings['changes']>[0],
): Promise<StandingChanges> {
  const visible = Prisma.sql`s.changed_at >= ${since} AND ${inFolders(folders)}`;
  const [items, [counted], vulnerabilities] = await run(() =>
    Promise.all([
      db.$queryRaw<ChangedStanding[]>`
        SELECT s.repository, s.digest, s.folder, s.passes, s.code, s.blocking, s.policy,
               s.changed_at AS "changedAt",
               (SELECT coalesce((array_agg(t.tag ORDER BY t.tag))[1:${MOST_TAGS}::int], '{}')
                  FROM local_tags t
                 WHERE t.repository = s.repository AND t.digest = s.digest) AS tags
          FROM image_standings s JOIN local_repositories r ON r.name = s.repository
         WHERE ${visible}
         ORDER BY s.changed_at DESC, s.repository, s.digest LIMIT ${limit}`,
      db.$queryRaw<{ blocked: number; cleared: number }[]>`
        SELECT count(*) FILTER (WHERE s.passes IS FALSE)::int AS blocked,
               count(*) FILTER (WHERE s.passes)::int AS cleared
          FROM image_standings s JOIN local_repositories r ON r.name = s.repository
         WHERE ${visible}`,
      db.$queryRaw<NewVulnerability[]>`
        SELECT k.vulnerability, k.first_seen_at AS "firstSeenAt", ${WORST} AS severity,
               count(DISTINCT (t.repository, t.digest))::int AS images
          FROM known_vulnerabilities k
          JOIN image_findings f ON f.vulnerability = k.vulnerability
          JOIN local_tags t ON t.digest = f.digest
          JOIN local_repositories r ON r.name = t.repository
         WHERE k.first_seen_at >= ${since} AND ${inFolders(folders)}
           AND k.first_seen_at > (SELECT filled_at FROM standing_runs WHERE id = ${ID})
         GROUP BY k.vulnerability, k.first_seen_at
         ORDER BY min(${RANK}), images DESC, k.vulnerability LIMIT ${MOST_VULNERABILITIES}`,
    ]),
  );
  const { blocked = 0, cleared = 0 } = counted ?? {};
  return { items, blocked, cleared, vulnerabilities };
}
