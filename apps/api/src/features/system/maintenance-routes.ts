import {
  contract,
  type GarbageCollection,
  type Orphan,
  type ThreatFeedView,
} from '@portcullis/contract';
import type { Orphan as Found, MaintenanceRun } from '@portcullis/store';
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
      return { items: items.map(presentOrphan), total_size: sizeOf(items), complete };
    },

    async removeOrphans(_, call) {
      await call.intend();
      const removing = await orphans.remove();
      call.note({ directories: removing.length, size: sizeOf(removing) });
      return { removing: removing.map(({ jobId }) => jobId), size: sizeOf(removing) };
    },
  });
}

function sizeOf(orphans: Found[]): number {
  return orphans.reduce((sum, { size }) => sum + size, 0);
}

function presentOrphan({ jobId, size, files, modifiedAt, removable }: Found): Orphan {
  return { job_id: jobId, size, files, modified_at: modifiedAt.toISOString(), removable };
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

function presentCollection(run: MaintenanceRun | null): GarbageCollection {
  if (!run) return IDLE;
  return {
    state: run.state === 'queued' ? 'running' : run.state,
    dry_run: run.options.dryRun ?? false,
    delete_untagged: run.options.deleteUntagged ?? false,
    requested_by: run.requestedBy,
    requested_at: run.requestedAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
    blobs_deleted: run.result.blobsDeleted ?? 0,
    manifests_deleted: run.result.manifestsDeleted ?? 0,
    bytes_freed: run.result.bytesFreed ?? 0,
    error: run.error,
    log_tail: run.logTail,
  };
}
