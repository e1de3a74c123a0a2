/** Sends jobs back to their pull when no worker has the storage of their image any more. */
import { advance, STORAGE_GRACE_MS, STORAGE_LEASE_MS, type StagingJob } from '@portcullis/domain';
import { unlessMissing } from '@portcullis/errors';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

export interface LostStoragePorts {
  jobs: Pick<Store['jobs'], 'jobsOnLostStorage' | 'update'>;
  /** See `StorageKeeper.isSteady`. */
  isSteady(): boolean;
  dispatch(job: StagingJob): Promise<void>;
  publish(job: StagingJob): Promise<void>;
  now(): Date;
  log: Pick<Logger, 'warn'>;
}

/** How long a worker has to return with the storage. */
const SILENT_MS = STORAGE_LEASE_MS + STORAGE_GRACE_MS;

export async function returnFromLostStorage(ports: LostStoragePorts): Promise<void> {
  while (ports.isSteady()) {
    const found = await ports.jobs.jobsOnLostStorage({ silentMs: SILENT_MS });
    // The query may have waited for an unreachable database.
    if (!ports.isSteady()) return;
    let moved = 0;
    for (const { id, storageId } of found) {
      const job = await pullAgain(id, storageId, ports);
      if (!job) continue;
      moved += 1;
      ports.log.warn(
        { job: id, storage: storageId },
        'no worker has the storage of the job: it is pulled again',
      );
      await ports.dispatch(job);
      await ports.publish(job);
    }
    if (moved === 0) return;
  }
}

/**
 * Null where the job has moved on or is deleted. The fence rises, so a worker that still runs the
 * job is refused.
 */
async function pullAgain(
  id: string,
  storageId: string,
  { jobs, now }: LostStoragePorts,
): Promise<StagingJob | null> {
  let moved = false;
  const job = await unlessMissing(
    jobs.update(id, (row) => {
      const next =
        row.storageId === storageId ? advance(row, { kind: 'storage_lost' }, now()) : row;
      moved = next !== row;
      return moved ? next : null;
    }),
  );
  return moved ? job : null;
}
