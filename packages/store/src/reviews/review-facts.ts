/** What a reviewer looks at besides the request: earlier decisions, and where the image is. */
import type { ReviewViewer } from '@portcullis/domain';
import { IS_PERSON, reviews } from '../accounts/reviewers.ts';
import { type Database, Prisma, run } from '../database.ts';
import { ROOT } from '../images/image-index.ts';
import type { DigestTags, EarlierDecision, EarlierQuestion, Mailable } from './records.ts';

const MOST_EARLIER = 5;
const MOST_PLACES = 100;
const MOST_REVIEWERS = 200;

/**
 * How these vulnerabilities were decided about before, the newest first; at most 5 of each. What
 * the approval of another request left behind is a waiver; what a decision refused is not.
 */
export function earlierDecisions(db: Database, asked: EarlierQuestion): Promise<EarlierDecision[]> {
  const { vulnerabilities, before } = asked;
  if (vulnerabilities.length === 0) return Promise.resolve([]);
  const ids = Prisma.sql`${[...vulnerabilities]}::text[]`;
  return run(
    () => db.$queryRaw<EarlierDecision[]>`
      SELECT vulnerability, decision, "waiverId", review, folder, digest, by, reason, at, until
        FROM (SELECT decided.*, row_number() OVER (PARTITION BY vulnerability ORDER BY at DESC) AS nth
                FROM (${ofWaivers(ids, asked)} UNION ALL ${ofReviews(ids, asked)}) decided
               WHERE at < ${before}) numbered
       WHERE nth <= ${MOST_EARLIER}
       ORDER BY vulnerability, at DESC`,
  );
}

/** As they were then: what was revoked or ended later was approved. */
function ofWaivers(
  ids: Prisma.Sql,
  { number, before, visibleTo: viewer }: EarlierQuestion,
): Prisma.Sql {
  const isClosed = Prisma.sql`(w.state = 'rejected' OR w.closed_at < ${before})`;
  return Prisma.sql`
    SELECT w.vulnerability, w.id::text AS "waiverId", w.review_number AS review, f.name AS folder,
           w.digest, w.expires_at AS until,
           CASE WHEN ${isClosed} THEN w.state WHEN w.expires_at <= ${before} THEN 'expired'
                ELSE 'approved' END AS decision,
           coalesce(CASE WHEN ${isClosed} THEN w.closed_by END, w.approvals->-1->>'username') AS by,
           coalesce(CASE WHEN ${isClosed} THEN w.closed_reason END, w.reason) AS reason,
           coalesce(CASE WHEN ${isClosed} THEN w.closed_at END, (w.approvals->-1->>'at')::timestamptz,
                    w.created_at) AS at
      FROM waivers w LEFT JOIN folders f ON f.id = w.folder_id
     WHERE w.vulnerability = ANY(${ids}) AND w.state <> 'requested'
       AND w.review_number IS DISTINCT FROM ${number}
       AND ${isSeen(viewer, Prisma.sql`w.requested_by_id`, Prisma.sql`w.folder_id IS NULL`)}`;
}

function ofReviews(ids: Prisma.Sql, { number, visibleTo: viewer }: EarlierQuestion): Prisma.Sql {
  const external = viewer?.external === false ? Prisma.sql`FALSE` : Prisma.sql`r.kind <> 'local'`;
  return Prisma.sql`
    SELECT v.id AS vulnerability, NULL::text AS "waiverId", r.number AS review, f.name AS folder,
           r.digest, NULL::timestamptz AS until, 'rejected' AS decision, r.closed_by AS by,
           r.closed_comment AS reason, r.closed_at AS at
      FROM reviews r
      LEFT JOIN folders f ON f.id = r.folder_id
      CROSS JOIN LATERAL unnest(r.vulnerabilities) AS v(id)
     WHERE r.vulnerabilities && ${ids} AND r.state IN ('rejected', 'partly_approved')
       AND r.number <> ${number} AND v.id = ANY(${ids}) AND v.id <> ALL(r.approved)
       AND ${isSeen(viewer, Prisma.sql`r.requested_by_id`, external)}`;
}

/** Whether the viewer sees a row that this account requested, for the folder `f` or everywhere. */
function isSeen(
  viewer: ReviewViewer | undefined,
  requestedBy: Prisma.Sql,
  everywhere: Prisma.Sql,
): Prisma.Sql {
  if (viewer === undefined) return Prisma.sql`TRUE`;
  const { accountId, folders } = viewer;
  return Prisma.sql`(${requestedBy} = ${accountId}::uuid OR ${everywhere}
                     OR f.name = ANY(${[...folders]}::text[]))`;
}

/**
 * The accounts that requested it, and those that approved it or wrote into its thread and still see
 * it; not that one.
 */
export function participantsOf(
  db: Database,
  number: number,
  but: string | null,
): Promise<Mailable[]> {
  return run(
    () => db.$queryRaw<Mailable[]>`
      SELECT u.id::text AS id, u.email
        FROM users u JOIN reviews r ON r.number = ${number}
       WHERE ${IS_PERSON} AND u.id::text <> ${but ?? ''}
         AND (u.id = r.requested_by_id
              OR ((EXISTS (SELECT 1 FROM jsonb_array_elements(r.approvals) a
                            WHERE a->>'accountId' = u.id::text)
                   OR EXISTS (SELECT 1 FROM review_comments c
                               WHERE c.review_number = r.number AND c.author_id = u.id))
                  AND (u.is_admin
                       OR (r.folder_id IS NULL AND u.can_bypass_vuln_block)
                       OR EXISTS (SELECT 1 FROM folder_grants g
                                    JOIN group_members m ON m.group_id = g.group_id
                                   WHERE g.folder_id = r.folder_id AND m.user_id = u.id
                                     AND g.can_pull))))
       ORDER BY u.username_key LIMIT ${MOST_REVIEWERS}`,
  );
}

/** Where the image is tagged in the folder now: what an approval covers there. */
export function placesIn(db: Database, digest: string, folder: string): Promise<DigestTags[]> {
  const inFolder =
    folder === ROOT
      ? Prisma.sql`r.namespace NOT IN (SELECT name FROM folders)`
      : Prisma.sql`r.namespace = ${folder}`;
  return run(
    () => db.$queryRaw<DigestTags[]>`
      SELECT t.repository, (array_agg(t.tag ORDER BY t.tag))[1:20] AS tags,
             count(*)::int AS "tagCount"
        FROM local_tags t JOIN local_repositories r ON r.name = t.repository
       WHERE t.digest = ${digest} AND ${inFolder}
       GROUP BY t.repository ORDER BY t.repository LIMIT ${MOST_PLACES}`,
  );
}

/** People who may decide about an open request of another account; at most 200. */
export function reviewersOf(db: Database, number: number): Promise<Mailable[]> {
  return run(
    () => db.$queryRaw<Mailable[]>`
      SELECT u.id::text AS id, u.email
        FROM users u JOIN reviews r ON r.requested_by_id <> u.id
       WHERE r.number = ${number} AND r.state = 'open'
         AND ${reviews(Prisma.sql`r.folder_id IS NULL`, Prisma.sql`r.folder_id`)}
       ORDER BY u.username_key LIMIT ${MOST_REVIEWERS}`,
  );
}
