/** Rows of scan_analyses, shared by images with common layers, and of image_analyses. */
import { createHash } from 'node:crypto';
import { type Database, Prisma, run } from '../database.ts';
import { json } from '../jobs/job-row.ts';
import type { StoredAnalysis, StoredImageAnalysis } from './records.ts';

const BATCH_BYTES = 1024 * 1024;

export function createScanAnalyses(db: Database) {
  return {
    /** Which of these are not stored. Those that are stay for another day at least. */
    async missing(keys: readonly string[]): Promise<string[]> {
      const present = await run(
        () => db.$queryRaw<{ key: string }[]>`
          UPDATE scan_analyses SET used_at = now() WHERE key = ANY (${keys}) RETURNING key`,
      );
      const known = new Set(present.map(({ key }) => key));
      return keys.filter((key) => !known.has(key));
    },
    /** An analysis that is stored already is kept. */
    save: (image: StoredImageAnalysis, analyses: readonly StoredAnalysis[]) =>
      save(db, image, analyses),
    async find(digests: readonly string[]): Promise<StoredImageAnalysis[]> {
      const where = { digest: { in: [...digests] } };
      const rows = await run(() => db.imageAnalysis.findMany({ where }));
      return rows.map(({ digest, profile, image, keys, packages }) => {
        // Written by `save`.
        return { digest, profile, image: image as object, keys, packages };
      });
    },
    async contents(keys: readonly string[]): Promise<Pick<StoredAnalysis, 'key' | 'content'>[]> {
      const where = { key: { in: [...keys] } };
      return run(() => db.scanAnalysis.findMany({ where, select: { key: true, content: true } }));
    },
    async keysOfLayers(diffIds: readonly string[]): Promise<string[]> {
      const where = { diffId: { in: [...diffIds] } };
      const rows = await run(() => db.scanAnalysis.findMany({ where, select: { key: true } }));
      return rows.map(({ key }) => key);
    },
    /**
     * Removes analyses that no image with a report needs, and beyond the bound those of the images
     * that were analysed longest ago. Returns how many.
     */
    removeUnused: (before: Date, maxBytes: number) => removeUnused(db, before, maxBytes),
  };
}

async function save(
  db: Database,
  { digest, profile, image, keys, packages }: StoredImageAnalysis,
  analyses: readonly StoredAnalysis[],
): Promise<void> {
  for (const batch of inBatches(analyses))
    await run(
      () => db.$executeRaw`
        INSERT INTO scan_analyses (key, diff_id, content, used_at)
        VALUES ${Prisma.join(batch.map(rowOf))}
        ON CONFLICT (key) DO UPDATE SET used_at = now()`,
    );
  const row = {
    profile,
    image: json(image),
    keys,
    packages: packages && Uint8Array.from(packages),
    listHash: listHash({ profile, keys, packages }),
    createdAt: new Date(),
    failedAt: null,
  };
  await run(() =>
    db.imageAnalysis.upsert({ where: { digest }, create: { digest, ...row }, update: row }),
  );
}

/**
 * For one statement each: an image may have many megabytes of analyses. In the order of their keys,
 * so that two workers that save the same rows do not wait for each other.
 */
function inBatches(analyses: readonly StoredAnalysis[]): StoredAnalysis[][] {
  const batches: StoredAnalysis[][] = [];
  let bytes = 0;
  for (const each of analyses.toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
    bytes += each.content.length;
    const batch = batches.at(-1);
    if (batch && bytes <= BATCH_BYTES) {
      batch.push(each);
    } else {
      batches.push([each]);
      bytes = each.content.length;
    }
  }
  return batches;
}

function rowOf({ key, diffId, content }: StoredAnalysis): Prisma.Sql {
  return Prisma.sql`(${key}, ${diffId}, ${Buffer.from(content)}, now())`;
}

/** The names tell what the index of Java archives added: the keys of analyses are without it. */
function listHash({
  profile,
  keys,
  packages,
}: Pick<StoredImageAnalysis, 'profile' | 'keys' | 'packages'>): string {
  const hash = createHash('sha256').update(JSON.stringify([profile, keys]));
  return hash.update(packages ?? '').digest('hex');
}

async function removeUnused(db: Database, before: Date, maxBytes: number): Promise<number> {
  await run(
    () => db.$executeRaw`
      DELETE FROM image_analyses a
       WHERE a.created_at < ${before}
         AND NOT EXISTS (SELECT 1 FROM image_reports i WHERE i.digest = a.digest)`,
  );
  await removeOldest(db, maxBytes);
  return run(
    () => db.$executeRaw`
      DELETE FROM scan_analyses s
       WHERE s.used_at < ${before}
         AND NOT EXISTS (SELECT 1 FROM (SELECT DISTINCT unnest(keys) AS key FROM image_analyses) a
                          WHERE a.key = s.key)`,
  );
}

/**
 * An analysis counts for the newest image that has it: what is left after the newest images up to
 * the bound can be removed without them.
 */
async function removeOldest(db: Database, maxBytes: number): Promise<void> {
  await run(
    () => db.$executeRaw`
      WITH newest AS (
        SELECT a.digest, a.created_at, unnest(a.keys) AS key FROM image_analyses a),
      counted AS (
        SELECT DISTINCT ON (newest.key) newest.digest, newest.created_at, length(s.content) AS bytes
          FROM newest JOIN scan_analyses s ON s.key = newest.key
         ORDER BY newest.key, newest.created_at DESC),
      sums AS (
        SELECT digest, sum(sum(bytes)) OVER (ORDER BY max(created_at) DESC, digest) AS bytes
          FROM counted GROUP BY digest)
      DELETE FROM image_analyses a USING sums
       WHERE sums.digest = a.digest AND sums.bytes > ${Prisma.sql`${maxBytes}::bigint`}`,
  );
}
