/** Searches each kind of resource by a part of its name, limited to what the caller may see. */

import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import { ROOT } from '../images/image-index.ts';
import { likePattern } from '../like.ts';
import type {
  FoldersSearched,
  FoundAccount,
  FoundFolder,
  FoundJob,
  FoundRepository,
  SearchOptions,
} from './records.ts';
import { searchVulnerabilities } from './vulnerability-search.ts';

export function createSearch(db: Database) {
  return {
    /** Repositories with a tag; those whose last segments begin with the text first. */
    repositories: ({ text, folders, limit }: FoldersSearched): Promise<FoundRepository[]> =>
      run(
        () => db.$queryRaw<FoundRepository[]>`
          SELECT r.name, ${FOLDER} AS folder, r.tag_count AS "tagCount"
            FROM local_repositories r
           WHERE r.tag_count > 0 AND r.name LIKE ${likePattern(text)} AND ${inFolders(folders)}
           ORDER BY strpos('/' || r.name, ${`/${text}`}) = 0, length(r.name), r.name
           LIMIT ${limit}`,
      ),
    /** Newest first; of one account, or of all where `ownerId` is null. */
    jobs: ({
      text,
      ownerId,
      limit,
    }: SearchOptions & { ownerId: string | null }): Promise<FoundJob[]> =>
      run(
        () => db.$queryRaw<FoundJob[]>`
          SELECT job.id::text, job.image, job.tag, job.status, job.verdict, job.error,
                 job.created_at AS "createdAt"
            FROM staging_jobs job
            JOIN (SELECT id FROM staging_jobs
                   WHERE (lower(image || ':' || tag) LIKE ${likePattern(text)}
                          OR starts_with(digest, ${text}))
                     AND ${ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`owner_id = ${ownerId}::uuid`}
                   ORDER BY created_at DESC, id DESC LIMIT ${limit}) found ON found.id = job.id
           ORDER BY job.created_at DESC, job.id DESC`,
      ),
    /** Of tagged images; the newest ids first. */
    vulnerabilities: (search: FoldersSearched) => searchVulnerabilities(db, search),
    accounts: ({ text, limit }: SearchOptions): Promise<FoundAccount[]> =>
      run(
        () => db.$queryRaw<FoundAccount[]>`
          SELECT id::text, username, email, disabled FROM users
           WHERE username_key LIKE ${likePattern(text)} OR lower(email) LIKE ${likePattern(text)}
           ORDER BY NOT starts_with(username_key, ${text}), length(username), username_key
           LIMIT ${limit}`,
      ),
    /** Without the root, whose name no page shows. */
    folders: ({ text, folders, limit }: FoldersSearched): Promise<FoundFolder[]> =>
      run(
        () => db.$queryRaw<FoundFolder[]>`
          SELECT name, description FROM folders
           WHERE name LIKE ${likePattern(text)} AND name <> ${ROOT} AND ${repositoriesNamed(folders)}
           ORDER BY NOT starts_with(name, ${text}), length(name), name LIMIT ${limit}`,
      ),
  };
}

function repositoriesNamed(folders: 'all' | readonly string[]): Prisma.Sql {
  return folders === 'all' ? Prisma.sql`TRUE` : Prisma.sql`name = ANY (${[...folders]}::text[])`;
}
