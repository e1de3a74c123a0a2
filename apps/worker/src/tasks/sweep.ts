/** The sweeper: dispatches again what a crash left behind. Queues may be lost, rows may not. */
import type { Queues } from '@portcullis/queue';
import type { Logger } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';

export interface SweepPorts {
  stale: Store['jobs']['stale'];
  dispatch: Queues['dispatch'];
  log: Pick<Logger, 'info'>;
  olderThanMs: number;
}

export async function sweep({ stale, dispatch, log, olderThanMs }: SweepPorts): Promise<void> {
  // In batches: `stale` returns no row twice within `olderThanMs`.
  for (;;) {
    const jobs = await stale({ olderThanMs });
    for (const job of jobs) {
      log.info({ job: job.id, status: job.status }, 'dispatched again');
      await dispatch(job);
    }
    if (jobs.length === 0) return;
  }
}

export interface TransferSweepPorts {
  stale: Store['transfers']['stale'];
  due: Store['schedules']['due'];
  enqueue: Queues['enqueue'];
  now(): Date;
  olderThanMs: number;
}

/** Enqueues patterns that no worker expands, and schedules that are overdue. */
export async function sweepTransfers({
  stale,
  due,
  enqueue,
  now,
  olderThanMs,
}: TransferSweepPorts): Promise<void> {
  for (const transferId of await stale({ olderThanMs }))
    await enqueue({ name: 'expand-transfer', transferId });
  for (const scheduleId of await due(now()))
    await enqueue({ name: 'run-schedule', scheduleId, manual: false });
}

/** Enqueues requested maintenance that waits, or whose worker died. */
export async function sweepMaintenance({
  maintenance,
  scans,
  wake,
}: {
  maintenance: Pick<Store['maintenance'], 'due'>;
  scans: Pick<Store['scans'], 'due'>;
  wake: Queues['wake'];
}): Promise<void> {
  for (const due of await maintenance.due()) await wake(due);
  for (const scan of await scans.due()) await wake({ kind: 'image-scan', ...scan });
}

/** How long owners see their expired tokens. */
const EXPIRED_SHOWN_MS = 30 * 86_400_000;

/** Removes expired sessions and tokens. */
export async function sweepCredentials({
  sessions,
  tokens,
}: Pick<Store, 'sessions' | 'tokens'>): Promise<void> {
  await sessions.removeExpired();
  await tokens.removeExpired(EXPIRED_SHOWN_MS);
}
