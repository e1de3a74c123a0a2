/** The scanner as the pipeline sees it: is there one, has it a database, and what does it say of a job's layout. */
import path from 'node:path';
import {
  type ProxySettings,
  proxyVariables,
  type ScanPolicy,
  type ScanReport,
} from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { parseRegistryUrl } from '@portcullis/local-registry';
import { parseDigest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { Scanner } from '@portcullis/scanner';
import type { ScanData } from '@portcullis/store';
import type { WorkerConfig } from '../../config.ts';
import { relayRepository } from '../../registry-relay.ts';
import type { Disk } from '../../storage/disk.ts';
import type { JobScanRequest, ScanPorts } from './scan.ts';

export interface ScannerService extends Pick<ScanPorts, 'missing' | 'recall' | 'scan'> {
  hasStoredScan: Scanner['hasStoredScan'];
  /** Removes what killed processes left of scans and downloads. */
  clearLeftovers(): Promise<void>;
  witnessOfLayer: Scanner['witnessOfLayer'];
  /** Whether a scan job taken now would get an answer, be it that there is no scanner here. */
  answerable(): Promise<boolean>;
  /** Where the scan of a job leaves its full reports. */
  reportDir(jobId: string): string;
  exportReport: Scanner['exportReport'];
  /** When the advisories were gathered that a scan would go by now; null where none can be made. */
  database(): Promise<string | null>;
  /** Fetches a newer vulnerability database, if one is due; with `force`, anyway. */
  update(signal?: AbortSignal, options?: { force?: boolean }): Promise<void>;
  /** What a scan made now goes by; null where none can be made. */
  scanData(): Promise<ScanData | null>;
  /** Whether this installation wants the index of Java archives, and there is none, or a newer one may be published. */
  isJavaIndexDue(): Promise<boolean>;
  /** Fetches it, in minutes. True when it has arrived. */
  updateJavaIndex(signal?: AbortSignal): Promise<boolean>;
  /** Drops what is remembered from before that. */
  removeStoredScans(before: Date): Promise<void>;
  scanLayout(dir: string, request: LayoutRequest): Promise<ScanReport>;
}

interface LayoutRequest extends Omit<JobScanRequest, 'jobId'> {
  /** Behind everything else on the machine. */
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
  /** By which the database is fetched. */
  proxy(): ProxySettings;
  scanner: Pick<
    Scanner,
    | 'state'
    | 'database'
    | 'scan'
    | 'findStoredScan'
    | 'hasStoredScan'
    | 'witnessOfLayer'
    | 'removeStoredScans'
    | 'clearLeftovers'
    | 'updateDatabase'
    | 'isJavaIndexDue'
    | 'updateJavaIndex'
    | 'exportReport'
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
    // A download that failed is an answer too: the jobs end with the verdict `error` instead of waiting for ever. It is
    // tried again by the task of its own, not by everyone who asks: upkeep does each second.
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
      // Another process is at it: its end will be seen on disk.
      if (isAppError(error) && error.code === 'DATABASE_UPDATE_RUNNING') return;
      updateFailed = true;
      log.warn({ err: error }, 'the vulnerability database was not updated');
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

  async function scan(dir: string, { jobId, ...request }: JobScanRequest): Promise<ScanReport> {
    return scanInto(dir, reportsIn(disk.layoutDir(jobId)), request);
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
  ): Promise<ScanReport> {
    const { digest, ...rest } = request;
    const targets = [{ digest: parseDigest(digest), platform: null }];
    return scanner.scan(dir, { targets, reportDir, ...rest });
  }

  const { exportReport, removeStoredScans, hasStoredScan, witnessOfLayer } = scanner;
  return {
    answerable,
    missing,
    database,
    update,
    isJavaIndexDue,
    updateJavaIndex,
    clearLeftovers,
    scanData,
    recall,
    removeStoredScans,
    hasStoredScan,
    witnessOfLayer,
    scan,
    scanLayout,
    reportDir: (jobId) => reportsIn(disk.layoutDir(jobId)),
    exportReport,
  };
}

/** In the layout's own directory, with which it goes. */
function reportsIn(dir: string): string {
  return path.join(dir, 'reports');
}

/** The built-in registry, where copies may be, is the one that needs no TLS, and whose login we have. */
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
