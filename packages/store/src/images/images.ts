/** Queries over the built-in registry's index; image-recorder.ts and image-index.ts write it. */

import type { RepositoryOrder, StagingJob, Verdict } from '@portcullis/domain';
import { FOLDER, inFolders, UNDER_ROOT } from '../accounts/folder-filter.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { toSummary, WITH_OWNER } from '../jobs/job-row.ts';
import type { JobSummary } from '../jobs/records.ts';
import { bypassesOf } from './gate-bypasses.ts';
import { namespaceOf, ROOT, removeManifests, removeTag } from './image-index.ts';
import { createImageRecorder } from './image-recorder.ts';
import { listIndexedTags, tagPage } from './image-tags.ts';
import { listTree } from './image-tree.ts';
import type {
  IndexedRepository,
  RepositoryFilter,
  TagFilter,
  TaggedDigest,
  TreeFilter,
} from './records.ts';
import { searchedIn } from './searched-images.ts';
import { countTaggedDigests, taggedDigests, tagsOfImages } from './tagged-digests.ts';

export function createImages(db: Database) {
  return {
    /** Repositories with a tag. */
    list: (filter: RepositoryFilter) => list(db, filter),
    /** The nodes of one level, sorted by name, the root folder last. */
    tree: (filter: TreeFilter) => listTree(db, filter),
    /** Only names, including repositories without a tag: up to `limit` after the given one. */
    async names({
      folders,
      after = '',
      limit,
    }: {
      folders: RepositoryFilter['folders'];
      after?: string | undefined;
      limit: number;
    }): Promise<string[]> {
      const rows = await run(
        () => db.$queryRaw<{ name: string }[]>`
          SELECT r.name FROM local_repositories r WHERE r.name > ${after} AND ${inFolders(folders)}
           ORDER BY r.name LIMIT ${limit}`,
      );
      return rows.map(({ name }) => name);
    },
    async find(repository: string): Promise<IndexedRepository | null> {
      const [row] = await run(
        () => db.$queryRaw<Row[]>`
          SELECT r.name, ${FOLDER} AS folder, r.tag_count AS "tagCount", r.size, r.updated_at AS "updatedAt"
            FROM local_repositories r WHERE r.name = ${repository}`,
      );
      return row ? toRepository(row) : null;
    },
    /** What a manifest lists; null where it is not known. */
    async partsOf(
      repository: string,
      digest: string,
    ): Promise<{ digest: string; isManifest: boolean }[] | null> {
      const select = { contents: { select: { digest: true, isManifest: true } } } as const;
      const where = { repository_digest: { repository, digest } };
      const row = await run(() => db.localManifest.findUnique({ where, select }));
      return row?.contents ?? null;
    },
    /** The repositories that have a manifest. */
    async holders(digest: string): Promise<string[]> {
      const where = { where: { digest }, select: { repository: true } } as const;
      const rows = await run(() => db.localManifest.findMany(where));
      return rows.map(({ repository }) => repository);
    },
    /** Newest first. */
    tags: (repository: string, page: TagFilter) => listIndexedTags(db, repository, page),
    /** All tags; with `digest`, only the tags of that digest. */
    tagNames: (repository: string, digest?: string): Promise<{ tag: string; digest: string }[]> =>
      run(() =>
        db.localTag.findMany({
          where: { repository, ...(digest !== undefined && { digest }) },
          select: { tag: true, digest: true },
          orderBy: { tag: 'asc' },
        }),
      ),
    /** What a tag leads to; null where there is none. */
    async digestOf(repository: string, tag: string): Promise<string | null> {
      const where = { repository_tag: { repository, tag } };
      const row = await run(() => db.localTag.findUnique({ where, select: { digest: true } }));
      return row?.digest ?? null;
    },
    /**
     * Up to `limit` tags after the given one, in the order of the distribution specification,
     * without reading the others. Null where the index does not have the repository.
     */
    tagPage: (repository: string, page: { after: string | undefined; limit: number }) =>
      tagPage(db, repository, page),
    /** Sorted by repository and digest: up to `limit` after the given one. */
    taggedDigests: (page: {
      folders: RepositoryFilter['folders'];
      after?: Pick<TaggedDigest, 'repository' | 'digest'> | undefined;
      limit: number;
    }) => taggedDigests(db, page),
    countTaggedDigests: (folders: RepositoryFilter['folders']) => countTaggedDigests(db, folders),
    /** All manifests of a repository, including untagged ones. */
    async digests(repository: string): Promise<string[]> {
      const rows = await run(() =>
        db.localManifest.findMany({ where: { repository }, select: { digest: true } }),
      );
      return rows.map(({ digest }) => digest);
    },
    /** Which of the digests are in the index. */
    async known(repository: string, digests: readonly string[]): Promise<Set<string>> {
      const where = { repository, digest: { in: [...digests] } };
      const rows = await run(() => db.localManifest.findMany({ where, select: { digest: true } }));
      return new Set(rows.map(({ digest }) => digest));
    },
    /**
     * The verdict of the newest staging job of each digest that has one: of this account, or of
     * any.
     */
    async verdicts(
      digests: readonly string[],
      ownerId: string | null,
    ): Promise<Map<string, StagingJob['verdict']>> {
      const rows = await run(
        () => db.$queryRaw<{ digest: string; verdict: Verdict }[]>`
          SELECT DISTINCT ON (digest) digest, verdict FROM staging_jobs
           WHERE digest = ANY (${[...digests]}) AND verdict <> 'pending'
             AND ${ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`owner_id = ${ownerId}::uuid`}
           ORDER BY digest, created_at DESC`,
      );
      return new Map(rows.map(({ digest, verdict }) => [digest, verdict]));
    },
    /**
     * Those that the account has staged, and those in folders that it may pull from: their reports
     * tell it nothing that it may not read.
     */
    async readable(
      digests: readonly string[],
      { ownerId, folders }: { ownerId: string; folders: readonly string[] },
    ): Promise<Set<string>> {
      const rows = await run(
        () => db.$queryRaw<{ digest: string }[]>`
          SELECT asked.digest FROM unnest(${[...digests]}::text[]) asked (digest)
           WHERE EXISTS (SELECT 1 FROM staging_jobs j
                          WHERE j.digest = asked.digest AND j.verdict <> 'pending'
                            AND j.owner_id = ${ownerId}::uuid)
              OR EXISTS (SELECT 1 FROM local_tags t JOIN local_repositories r ON r.name = t.repository
                          WHERE t.digest = asked.digest AND ${inFolders(folders)})
              OR EXISTS (SELECT 1 FROM local_contents c JOIN local_repositories r ON r.name = c.repository
                           JOIN local_manifests m ON m.repository = c.repository AND m.digest = c.digest
                          WHERE c.digest = asked.digest AND c.is_manifest AND ${inFolders(folders)})`,
      );
      return new Set(rows.map(({ digest }) => digest));
    },
    /** The newest staging job with a verdict on the digest: of this account, or of any. */
    async judged(digest: string, ownerId: string | null): Promise<JobSummary | null> {
      const row = await run(() =>
        db.stagingJob.findFirst({
          where: { digest, verdict: { not: 'pending' }, ...(ownerId !== null && { ownerId }) },
          orderBy: { createdAt: 'desc' },
          omit: { findings: true },
          include: WITH_OWNER,
        }),
      );
      return row && toSummary(row);
    },
    /** The newest push of each image into its repository that bypassed the gate. */
    /** The first five tags of each; images without one are absent. */
    tagsOf: (images: readonly { repository: string; digest: string }[]) => tagsOfImages(db, images),
    bypasses: (images: readonly { repository: string; digest: string }[]) => bypassesOf(db, images),
    /** Number of tagged repositories in a folder. */
    countUnder: (folder: string) => countUnder(db, folder),
    /** Records a push, or an image that the reconciliation found. */
    record: createImageRecorder(db),
    removeTag: (repository: string, tag: string) => removeTag(db, repository, tag),
    /** Removes a manifest and all its tags. */
    removeManifest: (repository: string, digest: string) =>
      removeManifests(db, repository, [digest]),
    /** As `removeManifest`, for many. */
    removeManifests: (repository: string, digests: readonly string[]) =>
      removeManifests(db, repository, digests),
    async removeRepository(repository: string): Promise<void> {
      await run(() => db.localRepository.deleteMany({ where: { name: repository } }));
    },
    /** Records that the registry lists these repositories now. */
    async seen(repositories: readonly string[], at: Date): Promise<void> {
      const where = { name: { in: [...repositories] } };
      await run(() => db.localRepository.updateMany({ where, data: { seenAt: at } }));
    },
    /** Repositories that were neither listed nor changed since. */
    async unseenSince(at: Date, limit: number): Promise<string[]> {
      const where = { seenAt: { lt: at }, updatedAt: { lt: at } };
      const rows = await run(() =>
        db.localRepository.findMany({
          where,
          select: { name: true },
          orderBy: { name: 'asc' },
          take: limit,
        }),
      );
      return rows.map(({ name }) => name);
    },
  };
}

type Row = Omit<IndexedRepository, 'size'> & { size: bigint };

const ORDERS: Record<RepositoryOrder, Prisma.Sql> = {
  name: Prisma.sql`r.name`,
  '-name': Prisma.sql`r.name DESC`,
  tag_count: Prisma.sql`r.tag_count`,
  '-tag_count': Prisma.sql`r.tag_count DESC`,
  size: Prisma.sql`r.size`,
  '-size': Prisma.sql`r.size DESC`,
  updated_at: Prisma.sql`r.updated_at`,
  '-updated_at': Prisma.sql`r.updated_at DESC`,
};

/** Filtered before it is sorted and paged: neither a page nor the total reveals anything else. */
async function list(db: Database, filter: RepositoryFilter) {
  const { folders, search, order = 'name', page, pageSize } = filter;
  const where = Prisma.sql`r.tag_count > 0 AND ${inFolders(folders)} AND ${searchedIn(REPOSITORIES, search)}`;
  const [rows, counted] = await run(() =>
    Promise.all([
      db.$queryRaw<Row[]>`
        SELECT r.name, ${FOLDER} AS folder, r.tag_count AS "tagCount", r.size, r.updated_at AS "updatedAt"
          FROM local_repositories r WHERE ${where}
         ORDER BY ${ORDERS[order]}, r.name LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
      db.$queryRaw<
        { total: bigint }[]
      >`SELECT count(*) AS total FROM local_repositories r WHERE ${where}`,
    ]),
  );
  return { items: rows.map(toRepository), total: Number(counted[0]?.total ?? 0) };
}

const REPOSITORIES = {
  repository: Prisma.sql`r.name`,
  tags: Prisma.sql`t.repository = r.name`,
  findsTags: false,
};

async function countUnder(db: Database, folder: string): Promise<number> {
  const under =
    folder === ROOT ? UNDER_ROOT : Prisma.sql`r.namespace = ${namespaceOf(`${folder}/`)}`;
  const [row] = await run(
    () =>
      db.$queryRaw<
        { total: bigint }[]
      >`SELECT count(*) AS total FROM local_repositories r WHERE r.tag_count > 0 AND ${under}`,
  );
  return Number(row?.total ?? 0);
}

function toRepository({ size, ...row }: Row): IndexedRepository {
  return { ...row, size: Number(size) };
}
