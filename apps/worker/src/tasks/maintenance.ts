/**
 * Maintenance that people request: garbage collections, database updates and scans on demand. As
 * for jobs, the rows are the truth: an entry of a queue wakes a worker, which claims a row with a
 * lease. The sweeper enqueues rows whose entry was lost or whose worker died.
 */
import path from 'node:path';
import { unavailable } from '@portcullis/errors';
import { type AuditEvent, systemEvent } from '@portcullis/events';
import { createCollectorLock } from '@portcullis/local-registry';
import type { Consumer } from '@portcullis/queue';
import { forRequest, type Part } from '@portcullis/runtime';
import type { ImageScan, MaintenanceKind, MaintenanceRun } from '@portcullis/store';
import { isCollectorAlone, type WorkerConfig } from '../config.ts';
import { localRegistry } from '../local-registry.ts';
import { keepLease } from '../pipeline/lease.ts';
import { scanConsumer } from '../pipeline/scan-consumer.ts';
import { backoffOf, registriesOf } from '../pipeline/stage-ports.ts';
import type { WorkerParts } from '../pipeline/worker-parts.ts';
import { pauseWhileHindered } from '../storage/hold.ts';
import { collectGarbage } from './collect-garbage.ts';
import { type GarbageStorage, garbageStorage } from './garbage-storage.ts';
import { failureOf, type RunFailure } from './run-failure.ts';
import { firstScans } from './scans/background-scans.ts';
import { runImageScan } from './scans/run-image-scan.ts';
import { scanImage } from './scans/scan-image.ts';

export interface MaintenanceConsumers extends Part {
  /** Fields of the heartbeat: the api checks whether any worker can collect garbage. */
  detail(): Record<string, unknown>;
}

const LOG_LINES = 200;
const RUN_TRIES = 3;
const SCAN_TRIES = 3;

export function maintenance(parts: WorkerParts): MaintenanceConsumers {
  const { config, queues, store } = parts;
  let garbage: GarbageStorage | null = null;
  const consumers: Consumer[] = [];
  const scans = config.WORKER_STAGES.includes('scan') ? scansOnDemand(parts) : [];

  function consumeRuns(kind: MaintenanceKind): Consumer {
    return queues.consumeMaintenance(kind, async (signal) => {
      const run = await store.maintenance.claim(kind, config.workerId);
      if (!run) return;
      await forRequest(run.requestId, () =>
        queues.inTraceOf(run, () => performRun(run, { parts, garbage, signal })),
      );
    });
  }

  return {
    async start() {
      garbage = await garbageStorage(config);
      consumers.push(...kindsFor(config, garbage !== null).map(consumeRuns));
      for (const part of scans) await part.start?.();
    },
    async stop() {
      await Promise.all([
        ...scans.map((part) => part.stop?.()),
        ...consumers.map((consumer) => consumer.stop()),
      ]);
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

/** Consumes scans once the scanner is ready, and not while the disk takes no writes. */
function scansOnDemand(parts: WorkerParts): Part[] {
  const { queues, scannerService, pulls, probe, store, log } = parts;
  const first = firstScans(parts);
  let consumer: Consumer | null = null;
  const consume = () => {
    consumer = queues.consumeMaintenance('image-scan', async (signal) => {
      const scan = await store.scans.claim();
      if (!scan) return first(signal);
      await forRequest(scan.requestId, () =>
        queues.inTraceOf({ kind: 'image-scan', id: scan.id }, () =>
          performScan(scan, parts, signal),
        ),
      );
    });
    return consumer;
  };
  const { answerable } = scannerService;
  return [
    scanConsumer({ answerable, consume, everyMs: 2_000, graceMs: 0, log }),
    pauseWhileHindered({
      looks: { disk: async () => (await probe.fault()) !== null, space: pulls.isShort },
      consumers: () => (consumer ? [{ consumer, waitsFor: ['space', 'disk'] }] : []),
      log,
    }),
  ];
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
  const { store, queues, log } = parts;
  const logTail: string[] = [];
  const line = (text: string) => {
    if (text.trim() === '') return;
    logTail.push(text.trim().slice(0, 500));
    if (logTail.length > LOG_LINES) logTail.shift();
  };
  const renewal = keepLease(() => store.maintenance.renew(run), log);
  let result = {};
  let error: RunFailure | null = null;
  try {
    assertTriesLeft(run);
    const either = AbortSignal.any([signal, renewal.lost]);
    if (run.kind === 'gc')
      result = await runCollection(run, { parts, garbage, signal: either }, line);
    else await updateScanners(parts, either);
  } catch (cause) {
    log.warn({ err: cause, run: run.id, kind: run.kind }, 'a maintenance run failed');
    if (signal.aborted) {
      await store.maintenance.release(run);
      return await queues.wake(run);
    }
    error = failureOf(cause);
  } finally {
    renewal.stop();
  }
  const event = runEvent({ ...run, result }, error);
  if (await store.maintenance.finish(run, { result, logTail, error, event }))
    await parts.audit.flush();
}

/** @throws unavailable `WORKER_LOST` */
function assertTriesLeft({ tries }: MaintenanceRun): void {
  if (tries > RUN_TRIES)
    throw unavailable('WORKER_LOST', `${RUN_TRIES} workers that ran it stopped answering`);
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
    registryLock: createCollectorLock(redis),
    storage: garbage,
    open,
    keeper,
    images: store.images,
    inUse: store.imagesInUse,
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
  const { store, queues, config, disk, scannerService, probe, policy, log } = parts;
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
      scans: {
        renew: store.scans.renew,
        async release(id, attempts, pause) {
          await store.scans.release(id, attempts, pause);
          const delayMs = (pause?.seconds ?? 0) * 1000;
          await queues.wake({ kind: 'image-scan', id, attempts }, { delayMs });
        },
      },
      scan: (each, either) => probe.blaming(() => scanImage(each, ports, either)),
      end: (each, error) => endScan(parts, each, error),
      backoff: { ...backoffOf(config), maxAttempts: SCAN_TRIES },
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
