/**
 * Background work of the scanner: the Java index, and scans that a new index or database makes due.
 */
import path from 'node:path';
import { firstScanOf } from '@portcullis/queue';
import type { Rescan, ScanData } from '@portcullis/store';
import { skippableLayers } from '../../lazy/skippable-layers.ts';
import { localRegistry } from '../../local-registry.ts';
import type { WorkerParts } from '../../pipeline/worker-parts.ts';
import { javaIndexKeeper } from './java-index.ts';
import { type ReportChanged, recordRematch } from './record-report.ts';
import { type Rematcher, rematcher } from './rematches.ts';
import { rescanForJava } from './rescan-for-java.ts';
import { rescanImage } from './rescan-image.ts';
import { rescanner, runRescan } from './rescans.ts';

/** Called in a loop; true where the next call may follow at once. */
type Background = (signal: AbortSignal) => Promise<boolean>;

export function backgroundScans(parts: WorkerParts): Background[] {
  const { config, log, scannerService } = parts;
  const keepIndex = javaIndexKeeper({
    scannerService,
    longestPauseMs: config.TRIVY_DB_UPDATE_HOURS * 3_600_000,
    searchFactor: config.searchFactor,
    now: Date.now,
    log,
  });
  const index: Background = async (signal) => {
    await keepIndex(signal);
    return false;
  };
  if (!config.WORKER_STAGES.includes('scan')) return [index];
  if (!config.TRIVY_RESCAN_ENABLED) return [index, waiting(parts)];
  const rematch = rematches(parts);
  return [index, waiting(parts), rematch.next, rescans(parts, rematch)];
}

function waiting({ config, store, queues, scannerService, log }: WorkerParts): Background {
  const look = rescanForJava({
    jobs: store.jobs,
    scans: store.scans,
    dispatch: queues.dispatch,
    wake: queues.wake,
    javaSince: async () => (await scannerService.scanData())?.javaSince ?? null,
    searchFactor: config.searchFactor,
    now: () => new Date(),
    log,
  });
  return async () => {
    await look();
    return false;
  };
}

/** Standings and events of changed reports follow from here. */
const reportChanged: ReportChanged = async () => {};

function rematches({ config, store, scannerService, policy, log }: WorkerParts): Rematcher {
  const recording = { reports: store.reports, reportChanged, now: () => new Date() };
  return rematcher({
    rematches: store.rematches,
    data: async () => ((await policy()).scanEnabled ? scannerService.rematchData() : null),
    startMatcher: scannerService.startMatcher,
    async rematch(digest, matcher, signal) {
      const result = await matcher.match(digest, signal);
      if (!result) return 'unmatched';
      return (await recordRematch(digest, result, recording)) ? 'changed' : 'same';
    },
    confirm: store.reports.confirm,
    searchFactor: config.searchFactor,
    now: Date.now,
    log,
  });
}

function rescans(parts: WorkerParts, rematch: Pick<Rematcher, 'isAble'>): Background {
  const { config, store, scannerService, log } = parts;
  return rescanner({
    rescans: store.rescans,
    scanData: () => scanDataOf(parts),
    rematched: async () =>
      rematch.isAble() ? ((await scannerService.rematchData())?.profile ?? null) : null,
    scan: scanIn(parts),
    searchFactor: config.searchFactor,
    now: Date.now,
    log,
  });
}

/**
 * Scans the next image of the built-in registry that has no report. Enqueued after each push; the
 * sweeper enqueues what was lost.
 */
export function firstScans(parts: WorkerParts): (signal: AbortSignal) => Promise<void> {
  const { store, queues, log } = parts;
  const ports = { rescans: store.rescans, scan: scanIn(parts), log };
  return async (signal) => {
    const data = await scanDataOf(parts);
    const first = data && (await store.rescans.claimFirst(data));
    if (first)
      await queues.inTraceOf(firstScanOf(first.digest), () => runRescan(first, ports, signal));
  };
}

const MOST_WOKEN = 1000;

export async function sweepFirstScans(parts: WorkerParts): Promise<void> {
  const data = await scanDataOf(parts);
  if (!data) return;
  for (const digest of await parts.store.rescans.firstDue(data, MOST_WOKEN))
    await parts.queues.wake(firstScanOf(digest));
}

async function scanDataOf({ policy, scannerService }: WorkerParts): Promise<ScanData | null> {
  return (await policy()).scanEnabled ? scannerService.scanData() : null;
}

function scanIn(parts: WorkerParts): (rescan: Rescan, signal: AbortSignal) => Promise<void> {
  const { config, store, disk, scannerService, policy } = parts;
  const { open } = localRegistry(parts);
  const copying = {
    concurrency: config.BLOB_CONCURRENCY,
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
  };
  const ports = {
    ...copying,
    open,
    holders: store.images.holders,
    scannerService,
    skippableLayers: skippableLayers({ ...scannerService, ...copying, isCached: disk.cache.has }),
    policy,
    reports: store.reports,
    reportChanged,
    scansDir: path.join(config.DATA_DIR, 'cache', 'scans'),
    now: () => new Date(),
  };
  return (rescan, signal) => rescanImage(rescan, ports, signal);
}
