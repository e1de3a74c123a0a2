/**
 * The scanner as the worker uses it: its state, its database, its Java index, and scans of layouts.
 */
import path from 'node:path';
import {
  type ProxySettings,
  proxyVariables,
  type ScanPolicy,
  type ScanResult,
} from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { parseRegistryUrl } from '@portcullis/local-registry';
import { parseDigest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { AbsentManifests, Scanner } from '@portcullis/scanner';
import type { RematchData, ScanData } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { relayRepository } from '../../registry-relay.ts';
import type { Disk } from '../../storage/disk.ts';
import type { JobScanRequest, ScanPorts } from './scan.ts';

export interface ScannerService extends Pick<ScanPorts, 'missing' | 'recall' | 'scan'> {
  hasStoredScan: Scanner['hasStoredScan'];
  follow: Scanner['follow'];
  expect: Scanner['expect'];
  /** Removes files of scans and downloads that were killed. */
  clearLeftovers(): Promise<void>;
  chunkDigestsOfLayer: Scanner['chunkDigestsOfLayer'];
  /** Whether a scan would end now; also true where there will never be a scanner. */
  answerable(): Promise<boolean>;
  /** Directory of a job's full reports. */
  reportDir(jobId: string): string;
  exportReport: Scanner['exportReport'];
  /**
   * Build time of the vulnerability database that a scan would use now; null where no scan can run.
   */
  database(): Promise<string | null>;
  /** Downloads a newer vulnerability database where one is due; with `force` in any case. */
  update(signal?: AbortSignal, options?: { force?: boolean }): Promise<void>;
  /** The databases that a scan would use now; null where no scan can run. */
  scanData(): Promise<ScanData | null>;
  /** What a re-match would use now; null where none can run. */
  rematchData(): Promise<RematchData | null>;
  startMatcher: Scanner['startMatcher'];
  /** Whether the Java index is wanted and is missing, or a newer one may have been published. */
  isJavaIndexDue(): Promise<boolean>;
  /** Downloads the Java index, which takes minutes. True when there is a new one. */
  updateJavaIndex(signal?: AbortSignal): Promise<boolean>;
  /** Removes stored scans that are older. */
  removeStoredScans(before: Date): Promise<void>;
  scanLayout(dir: string, request: LayoutRequest): Promise<ScanResult>;
}

interface LayoutRequest extends Omit<JobScanRequest, 'jobId' | 'absent'> {
  absent?: AbsentManifests;
  /** Runs at the lowest CPU and I/O priority. */
  inBackground?: boolean;
}

export interface ScannerServicePorts {
  config: Pick<
    WorkerConfig,
    | 'TRIVY_ENABLED'
    | 'TRIVY_DB_REPOSITORY'
    | 'TRIVY_JAVA_DB_ENABLED'
    | 'TRIVY_JAVA_DB_REPOSITORY'
    | 'REGISTRY_URL'
  >;
  /** The proxy for downloads of the databases. */
  proxy(): ProxySettings;
  scanner: Pick<
    Scanner,
    | 'state'
    | 'database'
    | 'scan'
    | 'follow'
    | 'expect'
    | 'findStoredScan'
    | 'hasStoredScan'
    | 'chunkDigestsOfLayer'
    | 'removeStoredScans'
    | 'clearLeftovers'
    | 'updateDatabase'
    | 'isJavaIndexDue'
    | 'updateJavaIndex'
    | 'exportReport'
    | 'rematchProfile'
    | 'startMatcher'
  >;
  disk: Pick<Disk, 'layoutDir'>;
  policy(): Promise<ScanPolicy>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export function createScannerService({
  config,
  proxy,
  scanner,
  disk,
  policy,
  log,
}: ScannerServicePorts): ScannerService {
  let updateFailed = false;

  async function answerable(): Promise<boolean> {
    if (!(await policy()).scanEnabled) return true;
    if (!config.TRIVY_ENABLED) return true;
    const { binary, database } = await scanner.state();
    if (binary !== 'ready') return binary === 'unavailable';
    // A failed download ends the wait, too: jobs then get the verdict `error`. The recurring task
    // retries the download; this is called every second and must not.
    if (database || updateFailed) return true;
    await update().catch(() => undefined);
    return updateFailed || (await scanner.database()) !== null;
  }

  async function missing(): Promise<string | null> {
    if (!config.TRIVY_ENABLED) return 'this installation runs without a scanner (TRIVY_ENABLED)';
    const { available, message } = await scanner.state();
    return available ? null : message;
  }

  async function database(): Promise<string | null> {
    if (!config.TRIVY_ENABLED) return null;
    const { available, database } = await scanner.state();
    return available ? (database?.updatedAt ?? null) : null;
  }

  async function update(signal?: AbortSignal, { force = false } = {}): Promise<void> {
    if (!config.TRIVY_ENABLED || (await scanner.state()).binary !== 'ready') return;
    try {
      await scanner.updateDatabase({
        ...sources(config),
        env: proxyVariables(proxy()),
        force,
        signal,
      });
      updateFailed = false;
    } catch (error) {
      // Another process is downloading; its result will be on disk.
      if (isAppError(error) && error.code === 'DATABASE_UPDATE_RUNNING') return;
      updateFailed = true;
      log.warn({ err: error }, 'the update of the scanner failed');
      throw error;
    }
  }

  async function scanData(): Promise<ScanData | null> {
    if (!config.TRIVY_ENABLED) return null;
    const { available, database } = await scanner.state();
    if (!available || !database) return null;
    const { updatedAt, javaDownloadedAt } = database;
    return {
      dbUpdatedAt: new Date(updatedAt),
      javaSince: javaDownloadedAt === null ? null : new Date(javaDownloadedAt),
    };
  }

  async function rematchData(): Promise<RematchData | null> {
    const [data, profile] = [await scanData(), await scanner.rematchProfile()];
    return data && profile !== null ? { ...data, profile } : null;
  }

  async function clearLeftovers(): Promise<void> {
    const cleared = await scanner.clearLeftovers();
    if (cleared > 0) log.info({ cleared }, 'removed what killed scans and downloads left');
  }

  async function isJavaIndexDue(): Promise<boolean> {
    if (!config.TRIVY_ENABLED || !config.TRIVY_JAVA_DB_ENABLED) return false;
    return (await scanner.state()).binary === 'ready' && scanner.isJavaIndexDue();
  }

  async function updateJavaIndex(signal?: AbortSignal): Promise<boolean> {
    const options = { ...sources(config), env: proxyVariables(proxy()), signal };
    return (await scanner.updateJavaIndex(options)) !== null;
  }

  async function scan(
    dir: string,
    { jobId, absent, ...request }: JobScanRequest,
  ): Promise<ScanResult> {
    const left = { digests: new Set(absent), areNowhere: false };
    return scanInto(dir, reportsIn(disk.layoutDir(jobId)), { ...request, absent: left });
  }

  async function recall({ jobId, digest }: Pick<JobScanRequest, 'jobId' | 'digest'>) {
    return scanner.findStoredScan(parseDigest(digest), reportsIn(disk.layoutDir(jobId)));
  }

  async function scanLayout(dir: string, request: LayoutRequest) {
    return scanInto(dir, reportsIn(dir), request);
  }

  async function scanInto(
    dir: string,
    reportDir: string,
    request: LayoutRequest,
  ): Promise<ScanResult> {
    const { digest, ...rest } = request;
    const targets = [{ digest: parseDigest(digest), platform: null }];
    return scanner.scan(dir, { targets, reportDir, ...rest });
  }

  const { exportReport, removeStoredScans, hasStoredScan, chunkDigestsOfLayer } = scanner;
  const { startMatcher, follow, expect } = scanner;
  return {
    answerable,
    missing,
    database,
    update,
    isJavaIndexDue,
    updateJavaIndex,
    clearLeftovers,
    scanData,
    rematchData,
    startMatcher,
    recall,
    removeStoredScans,
    hasStoredScan,
    chunkDigestsOfLayer,
    follow,
    expect,
    scan,
    scanLayout,
    reportDir: (jobId) => reportsIn(disk.layoutDir(jobId)),
    exportReport,
  };
}

/** Reports are in the directory of the layout and are removed with it. */
function reportsIn(dir: string): string {
  return path.join(dir, 'reports');
}

/**
 * The built-in registry, which may mirror the databases, needs our credentials and may lack TLS.
 */
function sources(config: ScannerServicePorts['config']) {
  const { TRIVY_DB_REPOSITORY: repository, TRIVY_JAVA_DB_REPOSITORY: javaRepository } = config;
  const registry = parseRegistryUrl(config.REGISTRY_URL);
  const { base, socketPath, credentials } = registry;
  const isBuiltIn = (each: string) => each.startsWith(`${base.host}/`);
  return {
    ...(repository && { repositories: [repository] }),
    ...(javaRepository && { javaRepositories: [javaRepository] }),
    insecure: (each: string) => base.protocol === 'http:' && isBuiltIn(each),
    credentials: (each: string) => (credentials && isBuiltIn(each) ? credentials : undefined),
    relay: async (each: string) =>
      socketPath !== null && isBuiltIn(each)
        ? relayRepository(registry, each.slice(base.host.length + 1))
        : null,
  };
}
