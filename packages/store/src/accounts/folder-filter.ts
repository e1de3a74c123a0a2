/** SQL fragments for folder permissions, for queries over `local_repositories r`. */
import { Prisma } from '../database.ts';
import { ROOT } from '../images/image-index.ts';

/**
 * Like the domain's `folderOf`: the first path segment where such a folder exists, else the root.
 */
export const FOLDER = Prisma.sql`CASE WHEN r.namespace <> '' AND EXISTS (SELECT 1 FROM folders f WHERE f.name = r.namespace)
  THEN r.namespace ELSE ${ROOT} END`;

export function inFolders(folders: 'all' | readonly string[]): Prisma.Sql {
  if (folders === 'all') return Prisma.sql`TRUE`;
  const named = Prisma.sql`r.namespace = ANY (${folders.filter((name) => name !== ROOT)}::text[])`;
  return folders.includes(ROOT) ? Prisma.sql`(${named} OR ${UNDER_ROOT})` : named;
}

export const UNDER_ROOT = Prisma.sql`r.namespace NOT IN (SELECT name FROM folders)`;
