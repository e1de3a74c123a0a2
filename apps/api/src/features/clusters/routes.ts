import { contract } from '@portcullis/contract';
import { foldersWith } from '@portcullis/domain';
import type { Store } from '@portcullis/store';
import { implement, type Route } from '../../http/implement.ts';
import { announcePage } from '../../http/paging.ts';

/** What runs of the repositories that the caller may pull. */
export function clusterRoutes({ list }: Pick<Store['runningImages'], 'list'>): Route[] {
  return implement(contract.clusters, {
    async listRunningImages({ query }, call) {
      const { isAdmin, grants } = call.principal;
      const folders = isAdmin ? 'all' : foldersWith(grants, 'pull');
      const { items: images, counts, nextCursor } = await list({ ...query, folders });
      announcePage(call, { nextCursor, total: null });
      return { images, counts };
    },
  });
}
