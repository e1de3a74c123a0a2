/**
 * Whose a folder is: the teams and accounts that may push to it, or bring images into a mirror, and
 * who decides about it.
 */
import { LETS_ASK } from '../accounts/asking.ts';
import { IS_PERSON } from '../accounts/reviewers.ts';
import { type Database, Prisma, run } from '../database.ts';
import type { FolderOwners } from './records.ts';

const named = (column: Prisma.Sql, condition: Prisma.Sql, limit: number) => Prisma.sql`
  coalesce((array_agg(DISTINCT ${column} ORDER BY ${column}) FILTER (WHERE ${condition}))[1:${limit}::int], '{}')`;

/** At most `limit` names of each kind, in the order of the names of the folders. */
export function listOwners(
  db: Database,
  folders: readonly string[],
  limit: number,
): Promise<FolderOwners[]> {
  const name = Prisma.sql`u.username`;
  const isReviewer = Prisma.sql`(u.can_bypass_vuln_block AND ${IS_PERSON})`;
  return run(
    () => db.$queryRaw<FolderOwners[]>`
      SELECT f.name AS folder,
             ${named(Prisma.sql`team.name`, LETS_ASK, limit)} AS teams,
             ${named(name, Prisma.sql`${LETS_ASK} AND u.id IS NOT NULL`, limit)} AS owners,
             ${named(name, Prisma.sql`${LETS_ASK} AND ${IS_PERSON} AND NOT u.can_bypass_vuln_block`, limit)} AS people,
             ${named(name, Prisma.sql`${LETS_ASK} AND u.auth_source = 'robot'`, limit)} AS robots,
             ${named(name, Prisma.sql`g.can_pull AND ${isReviewer}`, limit)} AS reviewers
        FROM folders f
        JOIN folder_grants g ON g.folder_id = f.id
        JOIN groups team ON team.id = g.group_id
        LEFT JOIN group_members m ON m.group_id = g.group_id
        LEFT JOIN users u ON u.id = m.user_id AND NOT u.disabled
       WHERE f.name = ANY (${[...folders]})
       GROUP BY f.name
      HAVING bool_or(${LETS_ASK})
       ORDER BY f.name`,
  );
}
