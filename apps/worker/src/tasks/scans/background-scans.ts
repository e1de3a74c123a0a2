/** What the worker does of scans by itself: fetches the index of Java archives, and scans again what gained by it. */
import path from 'node:path';
import type { ScanData } from '@portcullis/store';
import { sparedLayers } from '../../lazy/spared-layers.ts';
import { localRegistry } from '../../local-registry.ts';
import type { StageParts } from '../../pipeline/stage-ports.ts';
import { javaIndexKeeper } from './java-index.ts';
import { javaWaiting } from './java-waiting.ts';
import { rescanImage } from './rescan-image.ts';
import { rescanner } from './rescans.ts';

/** Each to be called again and again; true where it did something and may go on at once. */
type Background = (signal: AbortSignal) => Promise<boolean>;

export function backgroundScans(parts: StageParts): Background[] {
  const { config, log, scanDesk } = parts;
  const keepIndex = javaIndexKeeper({
    scanDesk,
    longestPauseMs: config.TRIVY_DB_UPDATE_HOURS * 3_600_000,
    now: Date.now,
    log,
  });
  const index: Background = async (signal) => {
    await keepIndex(signal);
    return false;
  };
  if (!config.WORKER_STAGES.includes('scan')) return [index];
  return [index, waiting(parts), ...(config.TRIVY_RESCAN_ENABLED ? [rescans(parts)] : [])];
}

function waiting({ store, queues, scanDesk, log }: StageParts): Background {
  const look = javaWaiting({
    jobs: store.jobs,
    scans: store.scans,
    dispatch: queues.dispatch,
    javaSince: async () => (await scanDesk.scanData())?.javaSince ?? null,
    now: () => new Date(),
    log,
  });
  return async () => {
    await look();
    return false;
  };
}

function rescans(parts: StageParts): Background {
  const { config, store, disk, scanDesk, policy, log } = parts;
  const { open } = localRegistry(parts);
  const copying = {
    concurrency: config.BLOB_CONCURRENCY,
    maxManifestBytes: config.MAX_MANIFEST_BYTES,
  };
  const ports = {
    ...copying,
    open,
    scanDesk,
    sparedLayers: sparedLayers({ ...scanDesk, ...copying, isCached: disk.cache.has }),
    policy,
    reports: store.reports,
    scansDir: path.join(config.DATA_DIR, 'cache', 'scans'),
    now: () => new Date(),
  };
  async function scanData(): Promise<ScanData | null> {
    return (await policy()).scanEnabled ? scanDesk.scanData() : null;
  }
  return rescanner({
    rescans: store.rescans,
    scanData,
    scan: (rescan, signal) => rescanImage(rescan, ports, signal),
    now: Date.now,
    log,
  });
}
