/**
 * Stores which images clusters start. A client that reaches the port of the webhook may name any
 * cluster and namespace, so there are bounds: known clusters stay where others come, and of a
 * cluster the images that were seen last.
 */
import { storableJson } from '@portcullis/domain';
import type { StartedImage } from '@portcullis/domain/admission';
import { type Connection, type Database, run } from '../database.ts';
import { listRunning } from './list-running.ts';
import type { KeptRunning, RunningFilter } from './records.ts';

export const MOST_CLUSTERS = 200;
const MOST_OF_CLUSTER = 20_000;

export function createRunningImages(
  db: Database,
  { mostClusters = MOST_CLUSTERS, mostOfCluster = MOST_OF_CLUSTER } = {},
) {
  return {
    /** That they were seen now. */
    async note(started: readonly StartedImage[]): Promise<KeptRunning> {
      const names = [...new Set(started.map(({ cluster }) => cluster))].sort();
      await run(() => addClusters(db, names, mostClusters));
      const rows = await see(db, started);
      const grown = rows.filter(({ isNew }) => isNew).map(({ cluster }) => cluster);
      for (const cluster of new Set(grown)) await bound(db, cluster, mostOfCluster);
      return { kept: rows.length, left: started.length - rows.length };
    },
    /** By repository, digest, cluster and namespace. */
    list: (filter: RunningFilter) => listRunning(db, filter),
    /** Removes those that were not seen since, and clusters of which nothing is left. */
    async removeUnseen(before: Date): Promise<number> {
      const noted = await run(
        () => db.$executeRaw`DELETE FROM running_images WHERE seen_at < ${before}`,
      );
      const reported = await run(
        () => db.$executeRaw`
          DELETE FROM reported_images a USING clusters c
           WHERE c.name = a.cluster AND c.reported_at < ${before}`,
      );
      await run(
        () => db.$executeRaw`
          DELETE FROM clusters c
           WHERE (c.reported_at IS NULL OR c.reported_at < ${before})
             AND NOT EXISTS (SELECT FROM running_images r WHERE r.cluster = c.name)`,
      );
      return noted + reported;
    },
  };
}

/** Those that are not known yet, as long as there is room. */
export async function addClusters(
  db: Database | Connection,
  names: readonly string[],
  most: number,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO clusters (name)
    SELECT fresh.name
      FROM (SELECT given.name, row_number() OVER (ORDER BY given.name) AS nth
              FROM unnest(${names}::text[]) given (name)
             WHERE NOT EXISTS (SELECT FROM clusters known WHERE known.name = given.name)) fresh
     WHERE fresh.nth + (SELECT count(*) FROM clusters) <= ${most}
     ORDER BY fresh.name
    ON CONFLICT DO NOTHING`;
}

/** In one order, against deadlocks of several processes. */
async function see(
  db: Database,
  started: readonly StartedImage[],
): Promise<{ cluster: string; isNew: boolean }[]> {
  return run(
    () => db.$queryRaw<{ cluster: string; isNew: boolean }[]>`
      INSERT INTO running_images (cluster, namespace, repository, digest)
      SELECT given.cluster, given.namespace, given.repository, given.digest
        FROM jsonb_to_recordset(${storableJson(started)}::jsonb)
               AS given (cluster text, namespace text, repository text, digest text)
        JOIN clusters c ON c.name = given.cluster
       ORDER BY 1, 2, 3, 4
      ON CONFLICT (cluster, namespace, repository, digest) DO UPDATE SET seen_at = now()
      RETURNING cluster, (xmax = 0) AS "isNew"`,
  );
}

async function bound(db: Database, cluster: string, most: number): Promise<void> {
  await run(
    () => db.$executeRaw`
      DELETE FROM running_images r USING (
        SELECT namespace, repository, digest FROM running_images WHERE cluster = ${cluster}
         ORDER BY seen_at DESC, namespace, repository, digest OFFSET ${most}) old
       WHERE r.cluster = ${cluster} AND r.namespace = old.namespace
         AND r.repository = old.repository AND r.digest = old.digest`,
  );
}
