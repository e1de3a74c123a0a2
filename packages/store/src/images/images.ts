/** Queries over the built-in registry's index; image-recorder.ts and image-index.ts write it. */
import type { RepositoryOrder, Verdict } from '@portcullis/domain';
import { FOLDER, inFolders, UNDER_ROOT } from '../accounts/folder-filter.ts';
import type { Database } from '../database.ts';
import { Prisma, run } from '../database.ts';
import { toSummary, WITH_OWNER } from '../jobs/job-row.ts';
import { likePattern } from '../like.ts';
import type { Images, IndexedRepository, RepositoryFilter } from '../port.ts';
import { bypassesOf } from './gate-bypasses.ts';
import { namespaceOf, ROOT, removeManifests, removeTag } from './image-index.ts';
import { createImageRecorder } from './image-recorder.ts';
import { listIndexedTags, tagPage } from './image-tags.ts';
import { listTree } from './image-tree.ts';
import { countTaggedDigests, taggedDigests } from './tagged-digests.ts';

export function createImages(db: Database): Images {
  return {
    list: (filter) => list(db, filter),
    tree: (filter) => listTree(db, filter),
    async names({ folders, after = '', limit }) {
      const rows = await run(
        () => db.$queryRaw<{ name: string }[]>`
          SELECT r.name FROM local_repositories r WHERE r.name > ${after} AND ${inFolders(folders)}
           ORDER BY r.name LIMIT ${limit}`,
      );
      return rows.map(({ name }) => name);
    },
    async find(repository) {
      const [row] = await run(
        () => db.$queryRaw<Row[]>`
          SELECT r.name, ${FOLDER} AS folder, r.tag_count AS "tagCount", r.size, r.updated_at AS "updatedAt"
            FROM local_repositories r WHERE r.name = ${repository}`,
      );
      return row ? toRepository(row) : null;
    },
    tags: (repository, page) => listIndexedTags(db, repository, page),
    tagNames: (repository, digest) =>
      run(() =>
        db.localTag.findMany({
          where: { repository, ...(digest !== undefined && { digest }) },
          select: { tag: true, digest: true },
          orderBy: { tag: 'asc' },
        }),
      ),
    tagPage: (repository, page) => tagPage(db, repository, page),
    taggedDigests: (page) => taggedDigests(db, page),
    countTaggedDigests: (folders) => countTaggedDigests(db, folders),
    async digests(repository) {
      const rows = await run(() =>
        db.localManifest.findMany({ where: { repository }, select: { digest: true } }),
      );
      return rows.map(({ digest }) => digest);
    },
    async known(repository, digests) {
      const where = { repository, digest: { in: [...digests] } };
      const rows = await run(() => db.localManifest.findMany({ where, select: { digest: true } }));
      return new Set(rows.map(({ digest }) => digest));
    },
    referrers: (repository, subject) =>
      run(() =>
        db.localManifest.findMany({
          where: { repository, subject },
          select: { digest: true, mediaType: true, artifactType: true, size: true },
          orderBy: { digest: 'asc' },
        }),
      ),
    async verdicts(digests, ownerId) {
      const rows = await run(
        () => db.$queryRaw<{ digest: string; verdict: Verdict }[]>`
          SELECT DISTINCT ON (digest) digest, verdict FROM staging_jobs
           WHERE digest = ANY (${[...digests]}) AND verdict <> 'pending'
             AND ${ownerId === null ? Prisma.sql`TRUE` : Prisma.sql`owner_id = ${ownerId}::uuid`}
           ORDER BY digest, created_at DESC`,
      );
      return new Map(rows.map(({ digest, verdict }) => [digest, verdict]));
    },
    async readable(digests, { ownerId, folders }) {
      const rows = await run(
        () => db.$queryRaw<{ digest: string }[]>`
          SELECT asked.digest FROM unnest(${[...digests]}::text[]) asked (digest)
           WHERE EXISTS (SELECT 1 FROM staging_jobs j
                          WHERE j.digest = asked.digest AND j.verdict <> 'pending'
                            AND j.owner_id = ${ownerId}::uuid)
              OR EXISTS (SELECT 1 FROM local_tags t JOIN local_repositories r ON r.name = t.repository
                          WHERE t.digest = asked.digest AND ${inFolders(folders)})
              OR EXISTS (SELECT 1 FROM local_contents c JOIN local_repositories r ON r.name = c.repository
                          WHERE c.digest = asked.digest AND c.is_manifest AND ${inFolders(folders)})`,
      );
      return new Set(rows.map(({ digest }) => digest));
    },
    async judged(digest, ownerId) {
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
    bypasses: (repository, digests) => bypassesOf(db, repository, digests),
    countUnder: (folder) => countUnder(db, folder),
    record: createImageRecorder(db),
    removeTag: (repository, tag) => removeTag(db, repository, tag),
    removeManifest: (repository, digest) => removeManifests(db, repository, [digest]),
    removeManifests: (repository, digests) => removeManifests(db, repository, digests),
    async removeRepository(repository) {
      await run(() => db.localRepository.deleteMany({ where: { name: repository } }));
    },
    async seen(repositories, at) {
      const where = { name: { in: [...repositories] } };
      await run(() => db.localRepository.updateMany({ where, data: { seenAt: at } }));
    },
    async unseenSince(at, limit) {
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
  const where = Prisma.sql`r.tag_count > 0 AND ${inFolders(folders)} AND ${matching(search)}`;
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

function matching(search: string | undefined): Prisma.Sql {
  return search ? Prisma.sql`r.name LIKE ${likePattern(search.toLowerCase())}` : Prisma.sql`TRUE`;
}

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
