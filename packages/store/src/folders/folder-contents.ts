/** What the repositories of a folder hold together, according to the index of images. */
import { inFolders } from '../accounts/folder-filter.ts';
import { type Database, must, Prisma, run } from '../database.ts';
import { changed, LARGEST, noteAdded } from '../images/image-index.ts';
import type { PresentContent, UsedBound } from './records.ts';

export function createFolderContents(db: Database) {
  return {
    /** Bytes of the blobs and manifests of its repositories, each digest counted once. */
    used: (folder: string) => usedBytes(db, folder),
    /** Reads one row for each repository. */
    bound: (folder: string) => bound(db, folder),
    /** Those of the digests that the folder has. */
    present: (folder: string, digests: readonly string[]) => present(db, folder, digests),
    /**
     * What manifests of the repository state as the size of a blob; null where none refers to it.
     */
    async statedSize(repository: string, digest: string): Promise<number | null> {
      const where = { repository, digest };
      const row = await run(() => db.localContent.findFirst({ where, orderBy: { size: 'desc' } }));
      return row && Number(row.size);
    },
    /** Replaces what manifests of the repository state. */
    correctSize: (repository: string, digest: string, size: number) =>
      changed(db, repository, async (tx) => {
        await tx.localContent.updateMany({ where: { repository, digest }, data: { size } });
        await noteAdded(tx, repository, { before: 0n, after: BigInt(size) });
      }),
  };
}

/** Also of repositories without a tag: what was pushed by digest takes up space as well. */
export async function usedBytes(db: Database, folder: string): Promise<number> {
  const within = inFolders([folder]);
  const [row] = await run(
    () => db.$queryRaw<{ bytes: bigint }[]>`
      SELECT least(coalesce(sum(size), 0), ${LARGEST})::bigint AS bytes
        FROM (SELECT digest, max(size) AS size
                FROM (SELECT c.digest, c.size
                        FROM local_contents c JOIN local_repositories r ON r.name = c.repository
                       WHERE ${within}
                       UNION ALL
                      SELECT m.digest, m.size
                        FROM local_manifests m JOIN local_repositories r ON r.name = m.repository
                       WHERE ${within}) every
               GROUP BY digest) once`,
  );
  return Number(row?.bytes ?? 0);
}

type BoundRow = Pick<UsedBound, 'mark' | 'members'> & { bytes: bigint; added: string };

async function bound(db: Database, folder: string): Promise<UsedBound> {
  const [row] = await run(
    () => db.$queryRaw<BoundRow[]>`
      SELECT least(coalesce(sum(r.size), 0), ${LARGEST})::bigint AS bytes,
             concat_ws(' ', count(*), sum(r.size), sum(r.tag_count), max(r.updated_at)) AS mark,
             concat_ws(' ', count(*),
                       sum(hashtextextended(concat_ws(' ', r.name, extract(epoch FROM r.created_at)), 0))) AS members,
             coalesce(sum(r.added_bytes), 0)::text AS added
        FROM local_repositories r WHERE ${inFolders([folder])}`,
  );
  const { bytes, added, ...marks } = must(row ?? null, 'FOLDER_UNKNOWN', 'there is no such folder');
  return { bytes: Number(bytes), added: BigInt(added), ...marks };
}

type Row = Omit<PresentContent, 'size'> & { size: bigint };

async function present(
  db: Database,
  folder: string,
  digests: readonly string[],
): Promise<PresentContent[]> {
  if (digests.length === 0) return [];
  const asked = Prisma.sql`${[...digests]}::text[]`;
  const within = inFolders([folder]);
  const rows = await run(
    () => db.$queryRaw<Row[]>`
      SELECT digest, max(size)::bigint AS size, bool_or(is_manifest) AS "isManifest"
        FROM (SELECT c.digest, c.size, FALSE AS is_manifest
                FROM local_contents c JOIN local_repositories r ON r.name = c.repository
               WHERE c.digest = ANY (${asked}) AND ${within}
               UNION ALL
              SELECT m.digest, m.size, TRUE
                FROM local_manifests m JOIN local_repositories r ON r.name = m.repository
               WHERE m.digest = ANY (${asked}) AND ${within}) every
       GROUP BY digest`,
  );
  return rows.map(({ size, ...row }) => ({ ...row, size: Number(size) }));
}
