/** Serves garbage collection, orphaned folders of jobs, and the threat feeds. */
import { contract, type GarbageCollection, type ThreatFeedView } from '@portcullis/contract';
import type { MaintenanceRun, Orphan } from '@portcullis/store';
import { implement, type Route } from '../../http/implement.ts';
import type { GarbageService } from './garbage.ts';
import type { OrphansService } from './orphans.ts';

export interface MaintenanceServices {
  garbage: GarbageService;
  orphans: OrphansService;
  feeds(): Promise<ThreatFeedView[]>;
}

export function maintenanceRoutes({ garbage, orphans, feeds }: MaintenanceServices): Route[] {
  return implement(contract.maintenance, {
    async getGarbageCollection() {
      return presentCollection(await garbage.latest());
    },

    async collectGarbage({ body: { dry_run: dryRun, delete_untagged: deleteUntagged } }, call) {
      call.about({ kind: 'registry', id: null, name: '__local__' });
      call.note({ dry_run: dryRun, delete_untagged: deleteUntagged });
      const requestedBy = call.principal.username;
      return presentCollection(await garbage.collect({ dryRun, deleteUntagged, requestedBy }));
    },

    listFeeds: () => feeds(),

    async listOrphans() {
      const { items, complete } = await orphans.list();
      return { items, totalSize: sizeOf(items), complete };
    },

    async removeOrphans(_, call) {
      await call.intend();
      const removing = await orphans.remove();
      call.note({ directories: removing.length, size: sizeOf(removing) });
      return { removing: removing.map(({ jobId }) => jobId), size: sizeOf(removing) };
    },
  });
}

function sizeOf(orphans: Orphan[]): number {
  return orphans.reduce((sum, { size }) => sum + size, 0);
}

const IDLE: GarbageCollection = {
  state: 'idle',
  dry_run: false,
  delete_untagged: false,
  requested_by: null,
  requested_at: null,
  started_at: null,
  finished_at: null,
  blobs_deleted: 0,
  manifests_deleted: 0,
  bytes_freed: 0,
  error: null,
  log_tail: [],
};

function presentCollection(run: MaintenanceRun | null) {
  if (!run) return IDLE;
  return {
    ...run,
    state: run.state === 'queued' ? ('running' as const) : run.state,
    dryRun: run.options.dryRun ?? false,
    deleteUntagged: run.options.deleteUntagged ?? false,
    blobsDeleted: run.result.blobsDeleted ?? 0,
    manifestsDeleted: run.result.manifestsDeleted ?? 0,
    bytesFreed: run.result.bytesFreed ?? 0,
  };
}
