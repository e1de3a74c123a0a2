/** The checks behind `/health/dependencies`. */
import { unavailable } from '@portcullis/errors';
import { isHealthy } from '@portcullis/local-registry';
import { lastBeat, pingRedis, type Redis } from '@portcullis/runtime';
import type { JobWaits, StorageScanner, Store } from '@portcullis/store';
import { waitingFor } from '../processes/queue-waits.ts';
import { assessDisks } from './disk-health.ts';
import type { DependencyCheck } from './probe.ts';
import type { DependencyName, ScannerFacts } from './service.ts';
import type { StorageReader } from './storages.ts';
import { assertWorkers } from './worker-health.ts';

export interface ScannerReader {
  facts(): Promise<ScannerFacts>;
  check: DependencyCheck;
}

/** The scanner's state as the workers report it. */
export function scannerReader(
  storages: Pick<StorageReader, 'scanner'>,
  enabled: boolean,
): ScannerReader {
  async function facts(): Promise<ScannerFacts> {
    const { available, version, database, databaseFailure, javaDownload } =
      await storages.scanner();
    return {
      enabled,
      available: enabled && available,
      version,
      db: database,
      failure: databaseFailure,
      javaDownload,
    };
  }

  async function check() {
    if (!enabled) return OFF;
    const state = await storages.scanner();
    if (!state.available) throw unavailable(faultOf(state), state.message);
    return null;
  }

  return { facts, check };
}

const OFF = { code: 'SCANNER_DISABLED', message: 'switched off' };

function faultOf({ binary, databaseFailure }: StorageScanner): string {
  if (binary === 'acquiring') return 'SCANNER_PENDING';
  if (binary === 'building') return 'SCANNER_BUILDING';
  if (binary === 'unavailable') return 'SCANNER_UNAVAILABLE';
  return databaseFailure?.code ?? 'SCAN_DATABASE_MISSING';
}

export interface CheckPorts {
  store: Pick<Store, 'ping'>;
  redis: Redis;
  registryUrl: string;
  scanner: ScannerReader;
  storages: Pick<StorageReader, 'disks' | 'fault'>;
  /** Jobs that wait for a stage. */
  waits(): Promise<JobWaits[]>;
}

export function dependencyChecks({
  store,
  redis,
  registryUrl,
  scanner,
  storages,
  waits,
}: CheckPorts): Record<DependencyName, DependencyCheck> {
  const started = new Date();
  return {
    async database() {
      await store.ping();
      return null;
    },
    async redis() {
      await pingRedis(redis);
      return null;
    },
    async registry() {
      if (await isHealthy(registryUrl)) return null;
      throw unavailable('REGISTRY_UNAVAILABLE', 'the local registry does not answer');
    },
    scanner: scanner.check,
    async disk() {
      const [data, registry, fault] = await Promise.all([
        storages.disks.data(),
        storages.disks.registry(),
        storages.fault(),
      ]);
      return assessDisks({ data, registry, fault, waiting: waitingFor(await waits()).disk });
    },
    async workers() {
      assertWorkers({ seen: await lastBeat(redis, 'worker'), started, now: new Date() });
      return null;
    },
  };
}
