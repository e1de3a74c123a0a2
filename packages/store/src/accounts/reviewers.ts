/**
 * SQL of who reviews a waiver, for queries over `users u`: people who can sign in, are allowed to
 * review waivers (`mayReviewWaivers`), and see those of the folder.
 */
import { Prisma } from '../database.ts';

export const IS_PERSON = Prisma.sql`(NOT u.disabled AND u.auth_source <> 'robot')`;

/**
 * @param everywhere whether the waiver is of all folders
 * @param folder the id of its folder otherwise
 */
export function reviews(everywhere: Prisma.Sql, folder: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (${IS_PERSON}
     AND (u.is_admin
          OR (u.can_bypass_vuln_block
              AND (${everywhere}
                   OR EXISTS (SELECT 1 FROM folder_grants g
                                JOIN group_members m ON m.group_id = g.group_id
                               WHERE g.folder_id = ${folder} AND m.user_id = u.id
                                 AND g.can_pull)))))`;
}
