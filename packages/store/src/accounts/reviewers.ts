/**
 * SQL of who reviews waivers, for queries over `users u`, as `mayReviewWaivers` decides it for one:
 * administrators, and accounts that may push blocked images and see the waivers of the folder.
 */
import { Prisma } from '../database.ts';

/**
 * @param everywhere whether the waiver is of all folders
 * @param folder the id of its folder otherwise
 */
export function reviews(everywhere: Prisma.Sql, folder: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    (u.is_admin
     OR (u.can_bypass_vuln_block
         AND (${everywhere}
              OR EXISTS (SELECT 1 FROM folder_grants g
                           JOIN group_members m ON m.group_id = g.group_id
                          WHERE g.folder_id = ${folder} AND m.user_id = u.id AND g.can_pull))))`;
}
