/** The checks behind `/health/dependencies`. */
import { unavailable } from '@portcullis/errors';
import { isHealthy } from '@portcullis/local-registry';
import { isShort, pingRedis, type Redis } from '@portcullis/runtime';
import type { Store } from '@portcullis/store';
import type { DependencyCheck } from './probe.ts';
import type { DependencyName, ScannerFacts } from './service.ts';
import type { StorageReader } from './storages.ts';

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
      failure: databaseFailure ?? null,
      javaDownload,
    };
  }

  async function check(): Promise<string> {
    if (!enabled) return 'switched off';
    const { available, message } = await storages.scanner();
    if (!available) throw unavailable('SCANNER_UNAVAILABLE', message);
    return message;
  }

  return { facts, check };
}

export interface CheckPorts {
  store: Pick<Store, 'ping'>;
  redis: Redis;
  registryUrl: string;
  scanner: ScannerReader;
  storages: Pick<StorageReader, 'disk'>;
}

export function dependencyChecks({
  store,
  redis,
  registryUrl,
  scanner,
  storages,
}: CheckPorts): Record<DependencyName, DependencyCheck> {
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
      const disk = await storages.disk();
      if (disk === null || !isShort(disk)) return null;
      throw unavailable(
        'DISK_RESERVE',
        'less than the reserve is free: pulls, scans and pushes wait for space',
      );
    },
  };
}
