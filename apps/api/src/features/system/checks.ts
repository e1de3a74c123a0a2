/** What this process depends on, asked for `/ready`. */
import { unavailable } from '@portcullis/errors';
import { isHealthy } from '@portcullis/local-registry';
import { type DiskSpace, isShort, type Redis, withRedis } from '@portcullis/runtime';
import type { Scanner } from '@portcullis/scanner';
import type { Store } from '@portcullis/store';
import type { Check } from './probe.ts';
import type { DependencyName, ScannerFacts } from './service.ts';

export interface ScannerReader {
  facts(): Promise<ScannerFacts>;
  check: Check;
}

/** The scanner as the files in DATA_DIR tell of it; the workers run it. */
export function scannerReader(scanner: Pick<Scanner, 'state'>, enabled: boolean): ScannerReader {
  async function facts(): Promise<ScannerFacts> {
    const { available, version, database, javaDownload } = await scanner.state();
    return { enabled, available: enabled && available, version, db: database, javaDownload };
  }

  async function check(): Promise<string> {
    if (!enabled) return 'switched off';
    const { available, message } = await scanner.state();
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
  disk: DiskSpace;
}

export function dependencyChecks({
  store,
  redis,
  registryUrl,
  scanner,
  disk,
}: CheckPorts): Record<DependencyName, Check> {
  return {
    async database() {
      await store.ping();
      return null;
    },
    async redis() {
      await withRedis('REDIS_UNAVAILABLE', () => redis.ping());
      return null;
    },
    async registry() {
      if (await isHealthy(registryUrl)) return null;
      throw unavailable('REGISTRY_UNAVAILABLE', 'the local registry does not answer');
    },
    scanner: scanner.check,
    async disk() {
      if (!isShort(await disk.look())) return null;
      throw unavailable(
        'DISK_RESERVE',
        'less than the reserve is free: pulls, scans and pushes wait for space',
      );
    },
  };
}
