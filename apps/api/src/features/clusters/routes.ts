import { contract } from '@portcullis/contract';
import { foldersWith } from '@portcullis/domain';
import type { ApiCall } from '../../http/call.ts';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';
import { type ClusterPorts, createClusterService } from './service.ts';

/** What runs of the repositories that the caller may pull, and what clusters report. */
export function clusterRoutes(ports: ClusterPorts): Route[] {
  const { clusters, runningImages } = ports.store;
  const service = createClusterService(ports);
  return implement(contract.clusters, {
    listClusters: () => service.list(),

    async listRunningImages({ query }, call) {
      const { isAdmin, grants } = call.principal;
      const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
      const { items: images, counts, nextCursor } = await runningImages.list({ ...query, folders });
      announcePage(call, { nextCursor, total: null });
      return { images, counts };
    },

    async reportRunningImages({ params: { name }, body }, call) {
      const { isFirst, ...reported } = await service.report(call.principal, name, body);
      if (isFirst) about(call, name);
      return reported;
    },

    async removeCluster({ params: { name } }, call) {
      about(call, name);
      await clusters.remove(name);
    },
  });
}

function about(call: ApiCall, name: string): void {
  call.about({ kind: 'cluster', id: name, name });
}
