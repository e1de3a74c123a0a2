/**
 * Once the Java index is available, scans staged jobs and scans on demand again that lacked it;
 * their coverage gap shows it. Images of the built-in registry are rescanned by `rescans.ts`.
 */
import { type CoverageGap, type StagingJob, scanAgain } from '@portcullis/domain';
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';

export interface RescanForJavaPorts {
  jobs: Pick<Store['jobs'], 'stagedWithGap' | 'update'>;
  scans: Pick<Store['scans'], 'requeue'>;
  dispatch(job: StagingJob): Promise<void>;
  wake: Queues['wake'];
  /** When the Java index of this worker arrived; null where there is none. */
  javaSince(): Promise<Date | null>;
  searchFactor: WorkerConfig['searchFactor'];
  now(): Date;
  log: Pick<Logger, 'info'>;
}

const GAP: CoverageGap['kind'] = 'java_index_missing';
/** Maximum duration of a scan that began without the index. */
const OVERLAP_MS = 30 * 60_000;
const LOOK_MS = 15_000;

/** Called in a loop; mostly returns at once. */
export function rescanForJava({
  jobs,
  scans,
  dispatch,
  wake,
  javaSince,
  searchFactor,
  now,
  log,
}: RescanForJavaPorts) {
  let settled: number | null = null;
  let nextAt = 0;
  /** Each job once per index: a worker with another DATA_DIR may still lack it. */
  const begun = new Set<string>();

  async function again(before: Date): Promise<number> {
    const ids = (await jobs.stagedWithGap(GAP, before)).filter((id) => !begun.has(id));
    for (const id of ids) {
      begun.add(id);
      const job = await jobs.update(id, (row) => scanAgain(row, now()));
      if (job.status === 'scan_queued') await dispatch(job);
    }
    return ids.length;
  }

  return async function look(): Promise<void> {
    if (now().getTime() < nextAt) return;
    nextAt = now().getTime() + LOOK_MS * searchFactor;
    const since = await javaSince();
    if (since === null || settled === since.getTime()) return;
    const found = await again(new Date(since.getTime() + OVERLAP_MS));
    const requeued = await scans.requeue(GAP, since);
    for (const scan of requeued) await wake({ kind: 'image-scan', ...scan });
    if (found + requeued.length > 0)
      log.info({ jobs: found, scans: requeued.length }, 'scanned again with the Java index');
    const isOver = now().getTime() > since.getTime() + OVERLAP_MS;
    if (!isOver || found > 0) return;
    settled = since.getTime();
    // Done for this index; the next one starts a new search.
    begun.clear();
  };
}
