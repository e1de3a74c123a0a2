/** What changed in the standings of tagged images, and how many are in which. */
import { invalid } from '@portcullis/errors';
import { inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { pageSize } from '../page.ts';
import { scoreTable } from '../reports/vulnerability-order.ts';
import type {
  ChangedStanding,
  ChangesQuestion,
  NewVulnerability,
  StandingChanges,
  StandingCounts,
} from './records.ts';
import { STANDING_RUN } from './standing-run.ts';
import { SEVERITY_RANK, WORST_SEVERITY } from './worst-severity.ts';

const MOST_TAGS = 20;
const MOST_VULNERABILITIES = 50;

export async function changes(
  db: Database,
  { folders, since, scores, limit, cursor }: ChangesQuestion,
): Promise<StandingChanges> {
  const size = pageSize(limit);
  const visible = Prisma.sql`s.changed_at >= ${since} AND ${inFolders(folders)}`;
  const [rows, [counted], appeared] = await run(() =>
    Promise.all([
      db.$queryRaw<ChangedStanding[]>`
        SELECT s.repository, s.digest, s.folder, s.passes, s.code, s.blocking, s.policy,
               s.changed_at AS "changedAt", s.grace_until AS "graceUntil",
               (SELECT coalesce((array_agg(t.tag ORDER BY t.tag))[1:${MOST_TAGS}::int], '{}')
                  FROM local_tags t
                 WHERE t.repository = s.repository AND t.digest = s.digest) AS tags
          FROM image_standings s JOIN local_repositories r ON r.name = s.repository
         WHERE ${visible} AND ${after(cursor)}
         ORDER BY s.changed_at DESC, s.repository, s.digest LIMIT ${size + 1}`,
      db.$queryRaw<{ blocked: number; cleared: number }[]>`
        SELECT count(*) FILTER (WHERE s.passes IS FALSE)::int AS blocked,
               count(*) FILTER (WHERE s.passes)::int AS cleared
          FROM image_standings s JOIN local_repositories r ON r.name = s.repository
         WHERE ${visible}`,
      db.$queryRaw<(NewVulnerability & { all: number })[]>`
        SELECT k.vulnerability, k.first_seen_at AS "firstSeenAt", ${WORST_SEVERITY} AS severity,
               count(DISTINCT (t.repository, t.digest))::int AS images,
               (count(*) OVER ())::int AS "all"
          FROM known_vulnerabilities k
          JOIN image_findings f ON f.vulnerability = k.vulnerability
          JOIN local_tags t ON t.digest = f.digest
          JOIN local_repositories r ON r.name = t.repository
          LEFT JOIN ${scoreTable(scores)} ON e.id = k.vulnerability
         WHERE k.first_seen_at >= ${since} AND ${inFolders(folders)}
           AND k.first_seen_at > (SELECT filled_at FROM standing_runs WHERE id = ${STANDING_RUN})
         GROUP BY k.vulnerability, k.first_seen_at, e.score
        HAVING min(f.first_seen_at) >= ${since}
         ORDER BY e.score DESC NULLS LAST, min(${SEVERITY_RANK}), images DESC, k.vulnerability
         LIMIT ${MOST_VULNERABILITIES}`,
    ]),
  );
  const { blocked = 0, cleared = 0 } = counted ?? {};
  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  const nextCursor = last ? encode(last) : null;
  const vulnerabilities = appeared.map(({ all: _, ...each }) => each);
  const vulnerabilitiesTotal = appeared[0]?.all ?? 0;
  const total = blocked + cleared;
  return { items, total, nextCursor, blocked, cleared, vulnerabilities, vulnerabilitiesTotal };
}

function encode({ changedAt, repository, digest }: ChangedStanding): string {
  return Buffer.from(JSON.stringify([changedAt.getTime(), repository, digest])).toString(
    'base64url',
  );
}

function after(cursor: string | null | undefined): Prisma.Sql {
  if (!cursor) return Prisma.sql`TRUE`;
  const [at, repository, digest] = decode(cursor);
  return Prisma.sql`(s.changed_at < ${at} OR (s.changed_at = ${at}
    AND (s.repository, s.digest) > (${repository}, ${digest})))`;
}

/** @throws invalid `CURSOR_INVALID` */
function decode(cursor: string): [Date, string, string] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [time, repository, digest] = Array.isArray(key) && key.length === 3 ? key : [];
    const at = new Date(typeof time === 'number' ? time : Number.NaN);
    if (!Number.isNaN(at.getTime()) && isText(repository) && isText(digest))
      return [at, repository, digest];
  } catch {}
  throw invalid('CURSOR_INVALID', 'the cursor is not one that a list gave');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

export async function counts(db: Database): Promise<StandingCounts> {
  const [counted] = await run(
    () => db.$queryRaw<StandingCounts[]>`
      SELECT count(*) FILTER (WHERE passes)::int AS passes,
             count(*) FILTER (WHERE passes IS FALSE)::int AS blocked,
             count(*) FILTER (WHERE passes IS NULL)::int AS pending,
             count(*) FILTER (WHERE passes IS FALSE AND grace_until > now())::int AS "inGrace",
             min(grace_until) FILTER (WHERE passes IS FALSE AND grace_until > now())
               AS "graceEndsAt",
             min(CASE WHEN database_at ~ '^\\d{4}-\\d\\d-\\d\\dT' THEN database_at::timestamptz END)
               AS "oldestDatabaseAt"
        FROM image_standings`,
  );
  return (
    counted ?? {
      ...{ passes: 0, blocked: 0, pending: 0, inGrace: 0 },
      ...{ graceEndsAt: null, oldestDatabaseAt: null },
    }
  );
}
