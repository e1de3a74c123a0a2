/** What clusters report that they run. */
import type { ClusterReport } from '@portcullis/contract';
import { folderOf, foldersWith, type Principal } from '@portcullis/domain';
import { isSilent } from '@portcullis/domain/admission';
import { forbidden } from '@portcullis/errors';
import type { Store } from '@portcullis/store';

export interface ClusterPorts {
  store: Pick<Store, 'clusters' | 'runningImages'>;
  /** The names of all folders. */
  folders(): Promise<ReadonlySet<string>>;
  now(): Date;
}

export function createClusterService({ store, folders, now }: ClusterPorts) {
  return {
    async list() {
      const clusters = await store.clusters.list();
      return clusters.map((cluster) => ({
        ...cluster,
        silent: cluster.reportedAt !== null && isSilent(cluster.reportedAt, now()),
      }));
    },

    /** @throws forbidden `REPORTER_FORBIDDEN`, conflict `CLUSTER_TAKEN`, `CLUSTERS_MANY` */
    async report(principal: Principal, cluster: string, given: ClusterReport) {
      assertReporter(principal);
      const spoken = principal.isAdmin ? 'all' : foldersWith(principal.grants, 'pull');
      const images = readable(spoken, given.images, await folders());
      const { not_known: notKnown } = given;
      const isFirst = await store.clusters.report({
        ...{ cluster, reporterId: principal.id, folders: spoken, notKnown, images },
      });
      return { isFirst, kept: images.length, notReadable: given.images.length - images.length };
    },
  };
}

/**
 * What a cluster is said to run is a fact for others, and a report replaces what the webhook
 * admitted: administrators decide who makes it, by creating robots.
 */
function assertReporter({ isAdmin, robotOf }: Principal): void {
  if (isAdmin || robotOf !== undefined) return;
  throw forbidden(
    'REPORTER_FORBIDDEN',
    'Robots and administrators report what clusters run; use a token of a robot.',
  );
}

/** A reporter says nothing about repositories that it may not pull. */
function readable(
  spoken: 'all' | readonly string[],
  images: ClusterReport['images'],
  all: ReadonlySet<string>,
): ClusterReport['images'] {
  if (spoken === 'all') return images;
  const folders = new Set(spoken);
  return images.filter(({ repository }) => folders.has(folderOf(repository, all)));
}
