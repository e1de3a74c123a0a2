/**
 * Removes from the index of the built-in registry; image-recorder.ts adds to it. Each change locks
 * its repository's row first, so that counts and sizes are consistent.
 */

import { noteSigned, noteUnsigned, signedBy } from '../authorities/note-signed.ts';
import type { Connection, Database } from '../database.ts';
import { run } from '../database.ts';

export const ROOT = '__root__';

/** The first path segment of a repository with at least two. */
export function namespaceOf(repository: string): string {
  const slash = repository.indexOf('/');
  return slash > 0 ? repository.slice(0, slash) : '';
}

export async function removeTag(db: Database, repository: string, tag: string): Promise<void> {
  await changed(db, repository, async (tx) => {
    const [gone] = await tx.$queryRaw<{ digest: string }[]>`
      DELETE FROM local_tags WHERE repository = ${repository} AND tag = ${tag} RETURNING digest`;
    if (!gone) return;
    await noteSigned(tx, repository, signedBy([tag]));
    await dropUnreferenced(tx, repository, [gone.digest]);
  });
}

export async function removeManifests(
  db: Database,
  repository: string,
  digests: readonly string[],
): Promise<void> {
  const where = { repository, digest: { in: [...digests] } };
  await run(() => db.referrer.deleteMany({ where }));
  await changed(db, repository, async (tx) => {
    await noteUnsigned(tx, repository, digests);
    await tx.localTag.deleteMany({ where });
    const children = await childrenOf(tx, repository, [...digests]);
    await tx.localManifest.deleteMany({ where });
    await dropUnreferenced(tx, repository, children);
  });
}

/** Runs a change of the index while nothing else changes the repository, then recounts it. */
export async function changed(
  db: Database,
  repository: string,
  change: (tx: Connection) => Promise<void>,
): Promise<void> {
  await run(() =>
    db.$transaction(async (tx) => {
      const locked = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM local_repositories WHERE name = ${repository} FOR UPDATE`;
      if (locked.length === 0) return;
      await change(tx);
      await refresh(tx, repository);
    }),
  );
}

/**
 * Removes manifests that no tag or other manifest references, and what only they referenced; a
 * referrer stays with its subject.
 */
export async function dropUnreferenced(
  tx: Connection,
  repository: string,
  digests: string[],
): Promise<void> {
  for (let candidates = digests; candidates.length > 0; ) {
    const children = await childrenOf(tx, repository, candidates);
    const gone = await tx.$queryRaw<{ digest: string }[]>`
      DELETE FROM local_manifests m
       WHERE m.repository = ${repository} AND m.digest = ANY (${candidates}) AND m.subject IS NULL
         AND NOT EXISTS (SELECT 1 FROM local_tags t WHERE t.repository = m.repository AND t.digest = m.digest)
         AND NOT EXISTS (SELECT 1 FROM local_contents c WHERE c.repository = m.repository AND c.digest = m.digest)
       RETURNING digest`;
    candidates = gone.length > 0 ? children : [];
  }
}

async function childrenOf(
  tx: Connection,
  repository: string,
  parents: string[],
): Promise<string[]> {
  const where = { repository, parent: { in: parents }, isManifest: true };
  const rows = await tx.localContent.findMany({ where, select: { digest: true } });
  return rows.map(({ digest }) => digest);
}

/** Manifests may claim any sizes: their sum must fit into a column and a JavaScript number. */
export const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** More would not fit into the column with the next addition. */
const MOST_ADDED = 9_000_000_000_000_000_000n;

/** Notes that a repository has grown, whatever was removed at the same time. */
export async function noteAdded(
  tx: Connection,
  repository: string,
  { before, after }: { before: bigint; after: bigint },
): Promise<void> {
  const added = after - before;
  if (added <= 0n) return;
  await tx.$executeRaw`
    UPDATE local_repositories
       SET added_bytes = least(added_bytes + least(${added}::numeric, ${LARGEST}), ${MOST_ADDED})
     WHERE name = ${repository}`;
}

/** Recounts a repository; an empty one is removed. */
export async function refresh(tx: Connection, repository: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE local_repositories r
       SET tag_count = (SELECT count(*) FROM local_tags t WHERE t.repository = r.name),
           size = (SELECT least(coalesce(sum(size), 0), ${LARGEST}) FROM (
                     SELECT digest, max(size) AS size FROM (
                       SELECT digest, size FROM local_contents c WHERE c.repository = r.name
                        UNION ALL
                       SELECT digest, size FROM local_manifests m WHERE m.repository = r.name) every
                      GROUP BY digest) once)
     WHERE r.name = ${repository}`;
  await tx.$executeRaw`
    DELETE FROM local_repositories r
     WHERE r.name = ${repository} AND r.tag_count = 0
       AND NOT EXISTS (SELECT 1 FROM local_manifests m WHERE m.repository = r.name)`;
}
