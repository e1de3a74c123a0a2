/** The tagged images of folders, one row for each digest in a repository. */
import { FOLDER, inFolders } from '../accounts/folder-filter.ts';
import { type Database, Prisma, run } from '../database.ts';
import type { RepositoryFilter, TaggedDigest } from './records.ts';

type Folders = RepositoryFilter['folders'];

interface DigestPage {
  folders: Folders;
  after?: Pick<TaggedDigest, 'repository' | 'digest'> | undefined;
  limit: number;
}

export function taggedDigests(
  db: Database,
  { folders, after, limit }: DigestPage,
): Promise<TaggedDigest[]> {
  const later = after
    ? Prisma.sql`(t.repository, t.digest) > (${after.repository}, ${after.digest})`
    : Prisma.sql`TRUE`;
  return run(
    () => db.$queryRaw<TaggedDigest[]>`
      SELECT r.name AS repository, t.digest, ${FOLDER} AS folder,
             coalesce(m.artifact_type IS NOT NULL AND m.platforms = '{}', FALSE) AS "isArtifact"
        FROM (SELECT DISTINCT t.repository, t.digest
                FROM local_tags t JOIN local_repositories r ON r.name = t.repository
               WHERE ${inFolders(folders)} AND ${later}
               ORDER BY t.repository, t.digest LIMIT ${limit}) t
        JOIN local_repositories r ON r.name = t.repository
        LEFT JOIN local_manifests m ON m.repository = t.repository AND m.digest = t.digest
       ORDER BY t.repository, t.digest`,
  );
}

const MOST_TAGS = 5;

/** The first tags of each image, by name. */
export function tagsOfImages(
  db: Database,
  images: readonly Pick<TaggedDigest, 'repository' | 'digest'>[],
): Promise<(Pick<TaggedDigest, 'repository' | 'digest'> & { tags: string[] })[]> {
  const repositories = images.map(({ repository }) => repository);
  const digests = images.map(({ digest }) => digest);
  return run(
    () => db.$queryRaw`
      SELECT t.repository, t.digest, (array_agg(t.tag ORDER BY t.tag))[1:${MOST_TAGS}::int] AS tags
        FROM unnest(${repositories}::text[], ${digests}::text[]) AS named (repository, digest)
        JOIN local_tags t ON t.repository = named.repository AND t.digest = named.digest
       GROUP BY t.repository, t.digest`,
  );
}

export async function countTaggedDigests(db: Database, folders: Folders): Promise<number> {
  const [row] = await run(
    () => db.$queryRaw<{ total: bigint }[]>`
      SELECT count(*) AS total
        FROM (SELECT DISTINCT t.repository, t.digest
                FROM local_tags t JOIN local_repositories r ON r.name = t.repository
               WHERE ${inFolders(folders)}) tagged`,
  );
  return Number(row?.total ?? 0);
}
