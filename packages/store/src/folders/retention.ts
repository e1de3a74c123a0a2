/**
 * The runs of retention rules: one row for each folder, which a worker takes with a lease. Leases
 * and due times are the database's, so that workers' clocks do not matter.
 */

import type { AuditEvent } from '@portcullis/domain';
import type { RetentionRule } from '@portcullis/domain/retention';
import { withEvent } from '../audit/outbox.ts';
import { type Database, Prisma, run } from '../database.ts';
import type { RetentionRun as Row } from '../generated/client.ts';
import { json } from '../jobs/job-row.ts';
import { LEASE } from '../lease.ts';
import type {
  ClaimedRetention,
  RetentionAttempt,
  RetentionCounts,
  RetentionRun,
} from './records.ts';
import { childrenOf, findTag, retainedRepositories, tagsOf } from './retained-tags.ts';

const EVERY = Prisma.sql`interval '1 day'`;
/** A new rule can be corrected for this long before it removes a tag. */
const FIRST = Prisma.sql`interval '1 hour'`;
/** Requested, or its worker is dead. */
const WAITS = Prisma.sql`(n.state IN ('queued', 'running') AND coalesce(n.lease_until, '-infinity') < now())`;
const IS_OVER = Prisma.sql`n.state IN ('done', 'failed')`;
const DUE = Prisma.sql`(${WAITS} OR (${IS_OVER} AND n.requested_at < now() - ${EVERY}
                          AND coalesce(n.lease_until, '-infinity') < now()))`;

export function createRetention(db: Database) {
  return {
    /** Repositories of the folder with their tags, by name, after the given one. */
    repositories: (folder: string, after: string | null = null) =>
      retainedRepositories(db, folder, after),
    tags: (repository: string) => tagsOf(db, repository),
    findTag: (repository: string, tag: string) => findTag(db, repository, tag),
    /** The manifests that the manifests of a repository list, by the digest of the parent. */
    children: (repository: string) => childrenOf(db, repository),
    async latest(folderId: string): Promise<RetentionRun | null> {
      const row = await run(() => db.retentionRun.findUnique({ where: { folderId } }));
      return row && isShown(row) ? toRun(row) : null;
    },
    /** Null where a run is queued or running already. */
    request: (folderId: string, requestedBy: string) => request(db, folderId, requestedBy),
    /** Whether a run waits that was requested, or whose worker stopped. */
    async waits(): Promise<boolean> {
      const rows = await run(
        () => db.$queryRaw<{ id: string }[]>`
          SELECT f.id::text FROM retention_runs n JOIN folders f ON f.id = n.folder_id
           WHERE f.retention IS NOT NULL AND ${WAITS} LIMIT 1`,
      );
      return rows.length > 0;
    },
    /**
     * Takes a run that was requested, whose worker stopped, or that is due: the last one of the
     * folder began a day ago, or its rule was found an hour ago by an earlier call.
     */
    claim: () => claim(db),
    /** False where the run is another worker's, or the folder has another rule now. */
    renew: (attempt: RetentionAttempt): Promise<boolean> =>
      write(db, attempt, Prisma.sql`lease_until = ${LEASE}`),
    /** As `renew`; records what is done. */
    advance: (
      attempt: RetentionAttempt,
      {
        cursor,
        repositories,
        tagsKept,
        tagsRemoved,
        tagsFailed,
      }: RetentionCounts & { cursor: string | null },
    ): Promise<boolean> =>
      write(
        db,
        attempt,
        Prisma.sql`
          lease_until = ${LEASE}, cursor = ${cursor}, repositories = ${repositories},
          tags_kept = ${tagsKept}, tags_removed = ${tagsRemoved}, tags_failed = ${tagsFailed}`,
      ),
    /**
     * Puts a run that did not end back: it is taken again after `pauseSeconds`, where it stopped.
     * Removals are recorded; the repository in which they were is counted once it is done.
     */
    async release(
      { folderId, attempts }: RetentionAttempt,
      { tagsRemoved, tagsFailed }: Pick<RetentionCounts, 'tagsRemoved' | 'tagsFailed'>,
      pauseSeconds: number = 0,
    ): Promise<void> {
      await run(
        () => db.$executeRaw`
          UPDATE retention_runs
             SET state = 'queued', lease_until = now() + ${pauseSeconds} * interval '1 second',
                 tags_removed = ${tagsRemoved}, tags_failed = ${tagsFailed}
           WHERE folder_id = ${folderId}::uuid AND attempts = ${attempts} AND state = 'running'`,
      );
    },
    async finish(
      { folderId, attempts }: RetentionAttempt,
      {
        error,
        event,
        ...counts
      }: RetentionCounts & { error: RetentionRun['error']; event?: AuditEvent },
    ): Promise<boolean> {
      const data = {
        ...counts,
        state: error ? 'failed' : 'done',
        error: error ? json(error) : Prisma.DbNull,
        finishedAt: new Date(),
        leaseUntil: null,
        cursor: null,
      };
      const where = { folderId, attempts, state: 'running' };
      return withEvent(
        db,
        event,
        async (tx) => (await tx.retentionRun.updateMany({ where, data })).count === 1,
      );
    },
  };
}

/** A run that waits for the end of a pause begins now. */
async function request(
  db: Database,
  folderId: string,
  requestedBy: string,
): Promise<RetentionRun | null> {
  const written = await run(
    () => db.$executeRaw`
      INSERT INTO retention_runs AS n (folder_id, requested_by) VALUES (${folderId}::uuid, ${requestedBy})
      ON CONFLICT (folder_id) DO UPDATE
         SET state = 'queued', requested_by = ${requestedBy}, requested_at = now(),
             lease_until = NULL, cursor = NULL, rule = NULL
       WHERE n.state IN ('done', 'failed') OR (n.state = 'queued' AND n.lease_until IS NOT NULL)`,
  );
  if (written === 0) return null;
  const row = await run(() => db.retentionRun.findUnique({ where: { folderId } }));
  return row && toRun(row);
}

type ClaimedRow = Omit<ClaimedRetention, 'rule'> & { rule: unknown };

/** The run continues an attempt that did not end, with the same rule. */
const CONTINUES = Prisma.sql`(n.state IN ('queued', 'running') AND n.rule = f.retention)`;
const COUNTS = ['repositories', 'tags_kept', 'tags_removed', 'tags_failed'].map(Prisma.raw);
const COUNTED = COUNTS.map(
  (name) => Prisma.sql`${name} = CASE WHEN ${CONTINUES} THEN n.${name} ELSE 0 END`,
);
const UNCOUNTED = COUNTS.map((name) => Prisma.sql`${name} = 0`);

/** Lets the first run of each new rule wait; one that was requested since has no rule yet. */
async function postponeNewRules(db: Database): Promise<void> {
  await run(
    () => db.$executeRaw`
      INSERT INTO retention_runs (folder_id, rule, lease_until)
        SELECT id, retention, now() + ${FIRST} FROM folders WHERE retention IS NOT NULL
      ON CONFLICT DO NOTHING`,
  );
  const isOther = Prisma.sql`f.id = n.folder_id AND n.rule IS DISTINCT FROM f.retention`;
  await run(
    () => db.$executeRaw`
      UPDATE retention_runs n SET rule = f.retention, lease_until = now() + ${FIRST}
        FROM folders f WHERE ${isOther} AND ${IS_OVER}`,
  );
  // Their worker has stopped, or finds out with its next write.
  await run(
    () => db.$executeRaw`
      UPDATE retention_runs n
         SET state = 'queued', rule = f.retention, lease_until = now() + ${FIRST},
             requested_by = NULL, started_at = NULL, cursor = NULL, ${Prisma.join(UNCOUNTED)}
        FROM folders f
       WHERE ${isOther} AND n.rule IS NOT NULL AND f.retention IS NOT NULL
         AND (n.state = 'queued' OR (n.state = 'running' AND n.lease_until < now()))`,
  );
}

async function claim(db: Database): Promise<ClaimedRetention | null> {
  await postponeNewRules(db);
  const [claimed] = await run(
    () => db.$queryRaw<ClaimedRow[]>`
      UPDATE retention_runs n
         SET state = 'running', attempts = n.attempts + 1, lease_until = ${LEASE},
             requested_by = CASE WHEN ${IS_OVER} THEN NULL ELSE n.requested_by END,
             requested_at = CASE WHEN ${IS_OVER} THEN now() ELSE n.requested_at END,
             started_at = CASE WHEN ${CONTINUES} THEN coalesce(n.started_at, now()) ELSE now() END,
             cursor = CASE WHEN ${CONTINUES} THEN n.cursor END,
             rule = f.retention, ${Prisma.join(COUNTED)}
        FROM folders f
       WHERE f.id = n.folder_id
         AND n.folder_id = (SELECT n.folder_id FROM retention_runs n
                              JOIN folders f ON f.id = n.folder_id
                             WHERE f.retention IS NOT NULL AND ${DUE}
                               AND (n.rule IS NULL OR n.rule = f.retention)
                             ORDER BY ${IS_OVER}, n.requested_at
                             LIMIT 1 FOR UPDATE OF n SKIP LOCKED)
      RETURNING n.folder_id::text AS "folderId", f.name AS folder, n.requested_by AS "requestedBy",
                n.rule, n.cursor, n.attempts, n.repositories, n.tags_kept AS "tagsKept",
                n.tags_removed AS "tagsRemoved", n.tags_failed AS "tagsFailed",
                n.started_at AS "startedAt", now() AS "claimedAt"`,
  );
  // The column contains what `folders.update` wrote.
  return claimed ? { ...claimed, rule: claimed.rule as RetentionRule } : null;
}

/** Fenced by the attempt and by the rule. */
async function write(
  db: Database,
  { folderId, attempts }: Pick<ClaimedRetention, 'folderId' | 'attempts'>,
  set: Prisma.Sql,
): Promise<boolean> {
  const written = await run(
    () => db.$executeRaw`
      UPDATE retention_runs n SET ${set}
        FROM folders f
       WHERE n.folder_id = ${folderId}::uuid AND n.attempts = ${attempts} AND n.state = 'running'
         AND f.id = n.folder_id AND f.retention = n.rule`,
  );
  return written === 1;
}

/** A new rule waits for its first run. */
function isShown({ state, requestedBy, startedAt }: Row): boolean {
  return state !== 'queued' || requestedBy !== null || startedAt !== null;
}

/** The JSON column contains what `finish` wrote. */
function toRun(row: Row): RetentionRun {
  const { attempts: _, cursor: _cursor, leaseUntil: _lease, rule: _rule, ...shown } = row;
  return shown as unknown as RetentionRun;
}
