/**
 * Stores what agents report of their clusters. A report is the whole of what runs: it replaces the
 * one before, and what it lacks does not run any more.
 */
import { storableJson } from '@portcullis/domain';
import { conflict, notFound } from '@portcullis/errors';
import { type Connection, type Database, inTransaction, run } from '../database.ts';
import type { ClusterFacts, ClusterReport, ReportedCluster } from './records.ts';
import { addClusters, MOST_CLUSTERS } from './running-images.ts';

export function createClusters(db: Database, { mostClusters = MOST_CLUSTERS } = {}) {
  return {
    /**
     * The first account that reports a cluster is the only one from then on.
     * @returns whether this was the first
     * @throws conflict `CLUSTER_TAKEN`, `CLUSTERS_MANY`
     */
    report: (report: ClusterReport) =>
      inTransaction(db, async (tx) => {
        await addClusters(tx, [report.cluster], mostClusters);
        const isFirst = await claim(tx, report);
        await replace(tx, report);
        return isFirst;
      }),
    /** By name. */
    async list(): Promise<ClusterFacts[]> {
      return run(
        () => db.$queryRaw<ClusterFacts[]>`
          SELECT c.name, c.reported_at AS "reportedAt", c.not_known AS "notKnown",
                 CASE WHEN u.id IS NOT NULL
                   THEN json_build_object('id', u.id, 'name', u.username) END AS reporter,
                 (SELECT count(*)::int FROM reported_images a WHERE a.cluster = c.name) AS reported,
                 (SELECT count(*)::int FROM running_images n WHERE n.cluster = c.name) AS admitted
            FROM clusters c LEFT JOIN users u ON u.id = c.reporter_id
           ORDER BY c.name`,
      );
    },
    /** When each cluster that has an agent reported last. */
    async reports(): Promise<ReportedCluster[]> {
      return run(
        () => db.$queryRaw<ReportedCluster[]>`
          SELECT name, reported_at AS "reportedAt" FROM clusters
           WHERE reported_at IS NOT NULL AND reporter_id IS NOT NULL ORDER BY name`,
      );
    },
    /** With all that is known of it. @throws not_found `CLUSTER_UNKNOWN` */
    async remove(name: string): Promise<void> {
      const removed = await run(() => db.$executeRaw`DELETE FROM clusters WHERE name = ${name}`);
      if (removed === 0) throw notFound('CLUSTER_UNKNOWN', 'there is no cluster of this name');
    },
  };
}

/** Locks the cluster, so that of two reports the later one replaces the whole of the earlier. */
async function claim(
  tx: Connection,
  { cluster, reporterId, folders, notKnown }: ClusterReport,
): Promise<boolean> {
  const [known] = await tx.$queryRaw<{ reporterId: string | null }[]>`
    SELECT reporter_id AS "reporterId" FROM clusters WHERE name = ${cluster} FOR UPDATE`;
  if (!known) throw conflict('CLUSTERS_MANY', 'as many clusters are known as can be');
  if (known.reporterId !== null && known.reporterId !== reporterId)
    throw conflict('CLUSTER_TAKEN', 'another account reports what this cluster runs');
  const spoken = folders === 'all' ? null : storableJson(folders);
  await tx.$executeRaw`
    UPDATE clusters SET reporter_id = ${reporterId}::uuid, reported_at = now(),
                        not_known = ${notKnown}, folders = ${spoken}::jsonb
     WHERE name = ${cluster}`;
  return known.reporterId === null;
}

async function replace(tx: Connection, { cluster, images }: ClusterReport): Promise<void> {
  await tx.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT DISTINCT namespace, repository, digest
        FROM jsonb_to_recordset(${storableJson(images)}::jsonb)
               AS image (namespace text, repository text, digest text)
    ), gone AS (
      DELETE FROM reported_images a
       WHERE a.cluster = ${cluster}
         AND NOT EXISTS (SELECT FROM given g WHERE g.namespace = a.namespace
                            AND g.repository = a.repository AND g.digest = a.digest)
    )
    INSERT INTO reported_images (cluster, namespace, repository, digest)
    SELECT ${cluster}, namespace, repository, digest FROM given
    ON CONFLICT DO NOTHING`;
}
