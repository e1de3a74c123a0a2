/** The standings that were announced last, and the worker that judges: image_standings. */

import { AGE, SIGNATURE, SIGNATURE_CODES } from '@portcullis/domain';
import { LETS_ASK } from '../accounts/asking.ts';
import { FOLDER } from '../accounts/folder-filter.ts';
import { type Database, inTransaction, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import { LEASE } from '../lease.ts';
import { listAnnounced } from './announced.ts';
import type {
  AppearedEvents,
  ChangesQuestion,
  DueStanding,
  Judgements,
  StandingMarks,
  StandingRun,
} from './records.ts';
import { saveJudged } from './save-standings.ts';
import { changes, counts } from './standing-changes.ts';
import { STANDING_RUN } from './standing-run.ts';

/** Also what no change announced is judged again then. */
const JUDGED_DAILY = Prisma.sql`interval '1 day'`;

export function createStandings(db: Database) {
  return {
    /** Null while another worker judges. */
    claim: () => claim(db),
    /** False when the lease was lost. */
    async renew({ attempts }: StandingRun): Promise<boolean> {
      return (await lease(db, attempts, LEASE)) === 1;
    },
    async release({ attempts }: StandingRun): Promise<void> {
      await lease(db, attempts, Prisma.sql`NULL`);
    },
    /**
     * Marks the images whose findings a waiver may cover that came into force or ended since the
     * last call. @returns their number
     */
    noteWaivers: (waivers: readonly { id: string; vulnerability: string }[]) =>
      noteWaivers(db, waivers),
    /** Call after a scan of these digests ended: it may have failed. Other reports are noticed. */
    async noteReports(digests: readonly string[]): Promise<void> {
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
    /** Images to judge: the ones that were pulled or pushed last come first. */
    due: (marks: StandingMarks, limit: number) => due(db, marks, limit),
    /**
     * Saves judgements, their events, and the vulnerabilities that were unknown before with theirs,
     * in one transaction. @returns the number of events; null where the lease was lost and nothing
     * was saved
     */
    save: (holder: StandingRun, judged: Judgements, eventsOf: AppearedEvents) =>
      saveJudged(db, holder, judged, eventsOf),
    /** All images were judged once. */
    async filled({ attempts }: StandingRun): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE standing_runs SET filled_at = now()
           WHERE id = ${STANDING_RUN} AND attempts = ${attempts} AND filled_at IS NULL`,
      );
    },
    /** Removes standings of images that no tag names any more. */
    removeUntagged: (): Promise<number> =>
      run(
        () => db.$executeRaw`
          DELETE FROM image_standings s WHERE NOT EXISTS (
            SELECT 1 FROM local_tags t WHERE t.repository = s.repository AND t.digest = s.digest)`,
      ),
    /** Of the enabled accounts whose images the folder has (`LETS_ASK`), at most `limit`. */
    owners: (folder: string, limit: number): Promise<{ id: string; username: string }[]> =>
      run(
        () => db.$queryRaw<{ id: string; username: string }[]>`
          SELECT DISTINCT u.id::text AS id, u.username
            FROM folder_grants g
            JOIN folders f ON f.id = g.folder_id AND f.name = ${folder}
            JOIN group_members m ON m.group_id = g.group_id
            JOIN users u ON u.id = m.user_id AND NOT u.disabled
           WHERE ${LETS_ASK}
           ORDER BY u.username LIMIT ${limit}`,
      ),
    /** Changes in these folders, newest first. */
    changes: (asked: ChangesQuestion) => changes(db, asked),
    /** One for each of the digests, which must be distinct. */
    announced: (repository: string, digests: readonly string[]) =>
      listAnnounced(db, repository, digests),
    counts: () => counts(db),
  };
}

async function claim(db: Database): Promise<StandingRun | null> {
  const [claimed] = await run(
    () => db.$queryRaw<StandingRun[]>`
      INSERT INTO standing_runs (id, attempts, lease_until) VALUES (${STANDING_RUN}, 1, ${LEASE})
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
       WHERE id = ${STANDING_RUN} AND attempts = ${attempts} AND lease_until IS NOT NULL`,
  );
}

type NotedWaiver = { id: string; vulnerability: string };

function noteWaivers(db: Database, waivers: readonly NotedWaiver[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    const row = await tx.standingRun.findUnique({
      where: { id: STANDING_RUN },
      select: { waivers: true },
    });
    // Contains what this function wrote.
    const before = (row?.waivers ?? []) as unknown as NotedWaiver[];
    const changed = differing(before, waivers);
    if (changed.length === 0) return 0;
    const noted = waivers.map(({ id, vulnerability }) => ({ id, vulnerability }));
    await tx.standingRun.update({ where: { id: STANDING_RUN }, data: { waivers: json(noted) } });
    return tx.$executeRaw`
      UPDATE image_standings SET stale = TRUE
       WHERE NOT stale AND (
         digest IN (SELECT digest FROM image_findings WHERE vulnerability = ANY(${changed}))
         OR (${changed.includes(AGE)} AND (waived OR code = ${AGE}))
         OR (${changed.includes(SIGNATURE)}
             AND (waived OR code = ANY(${[...SIGNATURE_CODES]}::text[]))))`;
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

type DueRow = Omit<DueStanding, 'before'> & {
  isKnown: boolean;
  passes: boolean | null;
  code: string | null;
};

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
             s.digest IS NOT NULL AS "isKnown", s.passes, s.code,
             ARRAY(SELECT c.digest FROM local_contents c
                     JOIN local_manifests here ON here.repository = c.repository AND here.digest = c.digest
                    WHERE c.repository = t.repository AND c.parent = t.digest
                      AND c.is_manifest) AS parts
        FROM (SELECT t.repository, t.digest, max(t.updated_at) AS pushed_at, ${FOLDER} AS folder
                FROM local_tags t JOIN local_repositories r ON r.name = t.repository
               GROUP BY t.repository, t.digest, r.namespace) t
        LEFT JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
        LEFT JOIN image_reports i ON i.digest = t.digest
        LEFT JOIN image_standings s ON s.repository = t.repository AND s.digest = t.digest
        LEFT JOIN image_pulls p ON p.digest = t.digest
        LEFT JOIN marks ON marks.folder = t.folder
       WHERE s.digest IS NULL OR s.stale OR s.folder <> t.folder OR s.policy_version IS NULL
          OR s.mark <> coalesce(marks.mark, ${otherwise})
          OR s.report_at IS DISTINCT FROM i.scanned_at
          OR (s.code = 'DATABASE_TOO_OLD' AND s.database_at IS DISTINCT FROM i.db_updated_at)
          OR s.valid_until <= now() OR s.judged_at < now() - ${JUDGED_DAILY}
       ORDER BY greatest(p.pulled_at, t.pushed_at) DESC, t.repository, t.digest
       LIMIT ${limit}`,
  );
  return rows.map(({ isKnown, passes, code, ...place }) => ({
    ...place,
    before: isKnown ? { passes, code } : null,
  }));
}
