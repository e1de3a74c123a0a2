/**
 * Maintenance that people request: garbage collections, database updates and scans on demand. The
 * rows are the queue: any able worker claims the next one and holds a lease on it.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditEvent, systemEvent } from '@portcullis/events';
import { createCollectorLock } from '@portcullis/local-registry';
import type { Part } from '@portcullis/runtime';
import type { ImageScan, MaintenanceKind, MaintenanceRun } from '@portcullis/store';
import { isCollectorAlone, type WorkerConfig } from '../config.ts';
import { localRegistry } from '../local-registry.ts';
import { keepLease } from '../pipeline/lease.ts';
import { backoffOf, registriesOf } from '../pipeline/stage-ports.ts';
import type { WorkerParts } from '../pipeline/worker-parts.ts';
import { collectGarbage } from './collect-garbage.ts';
import { type GarbageStorage, garbageStorage } from './garbage-storage.ts';
import { backgroundScans } from './scans/background-scans.ts';
import { failureOf, type RunFailure, runImageScan } from './scans/run-image-scan.ts';
import { scanImage } from './scans/scan-image.ts';

export interface MaintenanceLoops extends Part {
  /** Fields of the heartbeat: the api checks whether any worker can collect garbage. */
  detail(): Record<string, unknown>;
}

const EVERY_MS = 1_000;
const TIDY_EVERY_MS = 15_000;
const LOG_LINES = 200;
const SCAN_TRIES = 3;

export function maintenance(parts: WorkerParts): MaintenanceLoops {
  const { config, log, store } = parts;
  const stopping = new AbortController();
  let garbage: GarbageStorage | null = null;
  let loops: Promise<unknown> = Promise.resolve();
  let tidyAt = 0;

  const background = isCollectorAlone(config) ? [] : backgroundScans(parts);

  async function loop(take: () => Promise<boolean>): Promise<void> {
    while (!stopping.signal.aborted) {
      const took = await take().catch((err: unknown) => {
        log.warn({ err }, 'a maintenance loop failed; it continues');
        return false;
      });
      if (!took) await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function takeRun(): Promise<boolean> {
    const lost = await store.maintenance.abandoned((run) => runEvent(run, run.error));
    if (lost.length > 0) await parts.audit.flush();
    const run = await store.maintenance.claim(kindsFor(config, garbage !== null), config.workerId);
    if (run) await performRun(run, { parts, garbage, signal: stopping.signal });
    return run !== null;
  }

  async function takeScan(): Promise<boolean> {
    if (!config.WORKER_STAGES.includes('scan') || (await parts.space.isShort())) return false;
    if (!(await parts.scannerService.answerable())) return false;
    const scan = await store.scans.claim();
    if (scan) await performScan(scan, parts, stopping.signal);
    return scan !== null;
  }

  /** Each worker cleans up its own DATA_DIR. */
  async function tidy(): Promise<boolean> {
    if (Date.now() < tidyAt) return false;
    tidyAt = Date.now() + TIDY_EVERY_MS;
    await parts.scannerService.clearLeftovers();
    return false;
  }

  return {
    async start() {
      garbage = await garbageStorage(config);
      loops = Promise.all([
        loop(takeRun),
        loop(takeScan),
        loop(tidy),
        ...background.map((each) => loop(() => each(stopping.signal))),
      ]);
    },
    async stop() {
      stopping.abort();
      await loops;
    },
    detail: () => ({ collects_garbage: garbage !== null }),
  };
}

/** The kinds of runs that this worker can do. */
export function kindsFor(
  config: Pick<WorkerConfig, 'TRIVY_ENABLED' | 'WORKER_STAGES'>,
  collects: boolean,
): MaintenanceKind[] {
  const scans = config.TRIVY_ENABLED && !isCollectorAlone(config);
  return [...(collects ? (['gc'] as const) : []), ...(scans ? (['scanner-db'] as const) : [])];
}

interface Performing {
  parts: WorkerParts;
  garbage: GarbageStorage | null;
  signal: AbortSignal;
}

async function performRun(
  run: MaintenanceRun,
  { parts, garbage, signal }: Performing,
): Promise<void> {
  const { store, config, log } = parts;
  const logTail: string[] = [];
  const line = (text: string) => {
    if (text.trim() === '') return;
    logTail.push(text.trim().slice(0, 500));
    if (logTail.length > LOG_LINES) logTail.shift();
  };
  const renewal = keepLease(() => store.maintenance.renew(run.id, config.workerId), log);
  let result = {};
  let error: RunFailure | null = null;
  try {
    const either = AbortSignal.any([signal, renewal.lost]);
    if (run.kind === 'gc')
      result = await runCollection(run, { parts, garbage, signal: either }, line);
    else await updateScanners(parts, either);
  } catch (cause) {
    log.warn({ err: cause, run: run.id, kind: run.kind }, 'a maintenance run failed');
    error = failureOf(cause, signal);
  } finally {
    renewal.stop();
  }
  const event = runEvent({ ...run, result }, error);
  if (await store.maintenance.finish(run.id, config.workerId, { result, logTail, error, event }))
    await parts.audit.flush();
}

/** Updates the database of this storage, and enqueues the update of all others. */
async function updateScanners(parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const { scannerService, store, storage, queues } = parts;
  for (const { id, isAlive } of await store.storages.list())
    if (isAlive && id !== storage.id)
      await queues.enqueue({ name: 'update-scanner-db', force: true }, { storageId: id });
  await scannerService.update(signal, { force: true });
}

async function runCollection(
  { options }: MaintenanceRun,
  { parts, garbage, signal }: Performing,
  line: (text: string) => void,
) {
  const { store, redis } = parts;
  const { open, keeper } = localRegistry(parts);
  if (!garbage) throw new Error('claimed without the storage');
  const order = {
    dryRun: options.dryRun ?? false,
    deleteUntagged: options.deleteUntagged ?? false,
  };
  const ports = {
    gate: createCollectorLock(redis),
    storage: garbage,
    open,
    keeper,
    referrers: store.referrers,
    now: () => new Date(),
    line,
  };
  return { ...(await collectGarbage(order, ports, signal)) };
}

function runEvent(
  { id, kind, options, result, requestedBy }: MaintenanceRun,
  error: RunFailure | null,
): AuditEvent {
  return systemEvent({
    event: kind === 'gc' ? 'system.gc_finished' : 'trivy.db_updated',
    outcome: error ? 'failure' : 'success',
    actor: { id: null, name: requestedBy },
    action: kind,
    resource: { kind: 'maintenance_run', id, name: kind },
    detail: { ...options, ...result, error: error?.code ?? null },
  });
}

function performScan(scan: ImageScan, parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const { store, config, disk, scannerService, policy, log } = parts;
  const ports = {
    source: registriesOf(parts).source,
    cache: disk.cache,
    scansDir: path.join(config.DATA_DIR, 'cache', 'scans'),
    scannerService,
    policy,
    reports: store.reports,
    concurrency: config.BLOB_CONCURRENCY,
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
    now: () => new Date(),
  };
  return runImageScan(
    scan,
    {
      scans: store.scans,
      scan: (each, either) => scanImage(each, ports, either),
      end: (each, error) => endScan(parts, each, error),
      backoff: { ...backoffOf(config), tries: SCAN_TRIES },
      log,
    },
    signal,
  );
}

async function endScan({ store, audit }: WorkerParts, scan: ImageScan, error: RunFailure | null) {
  const event = systemEvent({
    event: 'trivy.scanned',
    outcome: error ? 'failure' : 'success',
    actor: { id: scan.requestedById, name: scan.requestedBy },
    action: 'scan',
    resource: { kind: 'image', id: scan.id, name: scan.repository },
    detail: { registry: scan.registryId, digest: scan.digest, error: error?.code ?? null },
  });
  if (await store.scans.finish(scan.id, scan.attempts, { error, event })) await audit.flush();
}
