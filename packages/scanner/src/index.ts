/**
 * The scanner package: the only caller of the Trivy binary. Callers know no command line or file of
 * Trivy.
 */
import { join } from 'node:path';
import type { PinnedImage, ScanResult } from '@portcullis/domain';
import { unavailable } from '@portcullis/errors';
import type { ChunkDigests, Digest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import { type BinaryState, readBinaryState } from './acquire/state.ts';
import { PINNED_VERSION } from './acquire/version.ts';
import { readBuckets } from './database/buckets.ts';
import { type UpdateOptions, type UpdateResult, updateDatabase } from './database/database.ts';
import {
  currentId,
  type DatabaseState,
  leaseDatabase,
  readDatabase,
  readMetadata,
} from './database/database-dir.ts';
import { type DatabaseFailure, readDatabaseFailure } from './database/database-failure.ts';
import {
  isJavaIndexDue,
  type JavaUpdateOptions,
  updateJavaIndex,
} from './database/java-database.ts';
import { type JavaDownload, readJavaDownload } from './database/java-state.ts';
import { readWarnings } from './judging/scanner-warnings.ts';
import { readCachedLayer } from './layers/layer-cache.ts';
import { createLayerThreads, type LayerThreads } from './layers/layer-threads.ts';
import { type RecentLayers, recentLayers } from './layers/recent-layers.ts';
import { DEFAULT_MAX_UNPACKED_BYTES } from './layers/unpack-budget.ts';
import { type ScannerPaths, scannerPaths } from './paths.ts';
import { createLauncher } from './process/launcher.ts';
import { createResidents, type Residents } from './process/residents.ts';
import { type Analyses, type AnalysisStore, openAnalyses } from './rematch/analyses.ts';
import { type Matcher, startMatcher } from './rematch/matcher.ts';
import { profileOf } from './rematch/scanned-image.ts';
import { type Advisories, type AdvisoryStore, openAdvisories } from './reports/advisories.ts';
import {
  type ExportedReport,
  exportReport,
  type ReportSelection,
} from './reports/export-report.ts';
import { COLLECTOR, type Invocation, type Trivy } from './scan/cli.ts';
import { clearLeftovers } from './scan/leftovers.ts';
import { scan } from './scan/scan.ts';
import type { AbsentManifests } from './scan/scan-context.ts';
import { openScanDir } from './scan/scan-dir.ts';
import type { ScanSubject } from './scan/select.ts';
import {
  findStoredScan,
  hasStoredScan,
  removeStoredScans,
  type ScanBasis,
  type StoredScan,
} from './scan/stored-scan.ts';

export { checkTrivy, TRIVY_PROGRAM } from './acquire/program.ts';
export { BinaryState, writeBinaryState } from './acquire/state.ts';
export type { UpdateOptions } from './database/database.ts';
export type { DatabaseState } from './database/database-dir.ts';
export type { RepositoryRelay } from './database/download.ts';
export type { JavaUpdateOptions } from './database/java-database.ts';
export type { ListedPackage } from './inventory/applied-layers.ts';
export { softwareBill } from './inventory/software-bill.ts';
export {
  readStoredPackages,
  readStoredParts,
  type StoredPackages,
} from './inventory/stored-packages.ts';
export { DEFAULT_MAX_UNPACKED_BYTES } from './layers/unpack-budget.ts';
export { scannerPaths } from './paths.ts';
export type { Matcher } from './rematch/matcher.ts';
export type { BatchImage, ImageBatch, ImageDocument } from './reports/batch/batch.ts';
export { batchCycloneDx } from './reports/batch/batch-cyclonedx.ts';
export { batchSarif } from './reports/batch/batch-sarif.ts';
export { batchSpdx } from './reports/batch/batch-spdx.ts';
export {
  exportNames,
  type ReportSelection,
  tooLargeToMerge,
} from './reports/export-report.ts';
export { jsonReport } from './reports/json-report.ts';
export { LIST as REPORT_LIST, type PlatformReport, parseReports } from './reports/report-store.ts';
export type { AbsentManifests } from './scan/scan-context.ts';

export interface ScannerOptions {
  dataDir: string;
  log: Logger;
  /** Path of the binary, once it exists; defaults to what `writeBinaryState` wrote last. */
  trivyPath?: (() => string | null) | undefined;
  /**
   * Redis in which Trivy caches its analysis of layers across scans; without it each scan analyses
   * all layers.
   */
  redisUrl?: string | undefined;
  /** The durable copy of these analyses; without it, what Redis loses is analysed again. */
  analyses?: AnalysisStore | undefined;
  /** Keeps what reports say about vulnerabilities, apart from the images that have them. */
  advisories?: AdvisoryStore | undefined;
  /** How many bytes one image may unpack to. */
  maxUnpackedBytes?: number | undefined;
}

interface ScannerState {
  binary: BinaryState['state'];
  version: string | null;
  message: string;
  database: DatabaseState | null;
  /** Why the last update of the database failed; null after a successful one. */
  databaseFailure: DatabaseFailure | null;
  /** The latest download of the Java index, if there was one. */
  javaDownload: JavaDownload | null;
  /** Binary and database both exist: a scan can run. */
  available: boolean;
}

interface ScanOptions {
  /** Digests in the layout; an index includes all its images. */
  targets: ScanSubject[];
  timeoutSeconds: number;
  reportDir?: string | undefined;
  absent?: AbsentManifests | undefined;
  signal?: AbortSignal | undefined;
  /** Runs at a lower CPU priority than everything else. */
  inBackground?: boolean | undefined;
}

export interface Scanner {
  state(): Promise<ScannerState>;
  /** Reads a layer of an image that is scanned next, while it is written. */
  follow: RecentLayers['follow'];
  /** Starts Trivy for an image that is scanned in a moment. */
  expect(digest: Digest): void;
  scan(layoutDir: string, options: ScanOptions): Promise<ScanResult>;
  /**
   * Returns a kept scan of the same content with the current Trivy version and database, if it was
   * complete, and links its full reports into `reportDir`. Null where the image has to be scanned.
   */
  findStoredScan(digest: Digest, reportDir: string): Promise<StoredScan | null>;
  /** Whether `findStoredScan` would probably return a scan. */
  hasStoredScan(digest: Digest): Promise<boolean>;
  /**
   * The proof-of-possession data of a layer that was scanned. Null where the layer is unknown, or
   * was scanned too long ago.
   */
  chunkDigestsOfLayer(digest: Digest): Promise<ChunkDigests | null>;
  /** Removes the files that killed scans and downloads left; returns how many. */
  clearLeftovers(): Promise<number>;
  /** Drops the kept scans from before the given date. */
  removeStoredScans(before: Date): Promise<void>;
  /** The database that the next scan will use; reads a few small files. */
  database(): Promise<DatabaseState | null>;
  /** Whether `updateJavaIndex` would download one. */
  isJavaIndexDue(): Promise<boolean>;
  /**
   * Returns null where another process is updating it or none is due. Takes minutes; no scan waits
   * for it.
   */
  updateJavaIndex(options: JavaUpdateOptions): Promise<DatabaseState | null>;
  updateDatabase(options: UpdateOptions): Promise<UpdateResult>;
  /** Needs the Trivy binary for every format except JSON. */
  exportReport(
    reportDir: string,
    wanted: ReportSelection,
    image: PinnedImage,
    signal?: AbortSignal,
  ): Promise<ExportedReport>;
  /**
   * The profile of the analyses that a re-match can use; null where none can run.
   */
  rematchProfile(): Promise<string | null>;
  /**
   * Starts the server that re-matches images with the present database. @throws unavailable
   * `REMATCH_UNAVAILABLE`
   */
  startMatcher(signal?: AbortSignal): Promise<Matcher>;
  /** Ends its connections and threads. */
  close(): Promise<void>;
}

export function createScanner(options: ScannerOptions): Scanner {
  const paths = scannerPaths(options.dataDir);
  const { log, redisUrl } = options;
  const analyses =
    options.analyses && redisUrl !== undefined
      ? openAnalyses(redisUrl, options.analyses, log)
      : undefined;
  const advisories = options.advisories && openAdvisories(options.advisories, log);
  const threads = createLayerThreads(log);
  const launcher = createLauncher();
  const residents = createResidents({
    env: COLLECTOR,
    openDir: () => openScanDir(paths.residents),
    runOnce: launcher.run,
    isSilent: (stderr) => readWarnings(stderr).messages.length === 0,
  });
  const trivy = async () => ({ trivyPath: await pathOfTrivy(options, paths), run: launcher.run });
  const prepare = async (digest: Digest) => {
    const basis = await currentBasis(paths);
    if (basis && (await hasStoredScan(basis, digest))) return;
    residents.prepare((await trivy()).trivyPath);
  };
  const maxUnpackedBytes = options.maxUnpackedBytes ?? DEFAULT_MAX_UNPACKED_BYTES;
  const recent = recentLayers(threads, maxUnpackedBytes);
  const kept = { kept: analyses, told: advisories };
  const parts = { ...kept, threads, recent, trivy, residents, maxUnpackedBytes };
  return {
    state: () => readState(options, paths),
    follow: recent.follow,
    expect(digest) {
      prepare(digest).catch((err: unknown) =>
        log.debug({ err, digest }, 'the scanner was not started before its scan'),
      );
    },
    scan: (layoutDir, request) => scanLayout(layoutDir, request, { ...options, ...parts }, paths),
    async findStoredScan(digest, reportDir) {
      const basis = await currentBasis(paths);
      return basis && findStoredScan(basis, digest, reportDir);
    },
    async hasStoredScan(digest) {
      const basis = await currentBasis(paths);
      return basis !== null && hasStoredScan(basis, digest);
    },
    chunkDigestsOfLayer: async (digest) =>
      (await readCachedLayer(paths.layers, digest))?.witness ?? null,
    clearLeftovers: () => clearLeftovers(paths),
    async removeStoredScans(before) {
      const id = await currentId(paths);
      if (id !== null) await removeStoredScans(join(paths.databases, id), before);
    },
    database: () => readDatabase(paths),
    isJavaIndexDue: () => isJavaIndexDue(paths),
    updateJavaIndex: async (update) => updateJavaIndex(update, { ...(await trivy()), paths, log }),
    updateDatabase: async (update) => updateDatabase(update, { ...(await trivy()), paths, log }),
    exportReport: (reportDir, wanted, image, signal) =>
      exportReport(reportDir, wanted, image, async () =>
        openInvocation(await trivy(), paths, signal),
      ),
    async rematchProfile() {
      const basis = analyses && (await currentBasis(paths));
      return basis ? profileOf(basis.scannerVersion) : null;
    },
    async startMatcher(signal) {
      if (!analyses || redisUrl === undefined)
        throw unavailable('REMATCH_UNAVAILABLE', 'analyses are not stored');
      return openMatcher({
        trivy: await trivy(),
        log,
        paths,
        signal,
        analyses,
        advisories,
        redisUrl,
      });
    },
    async close() {
      await residents.close();
      launcher.close();
      await threads.close();
      await analyses?.[Symbol.asyncDispose]();
    },
  };
}

async function readState(
  { trivyPath, log }: ScannerOptions,
  paths: ScannerPaths,
): Promise<ScannerState> {
  const binary = await readBinaryState(paths.state);
  // A damaged database counts as none; the next update replaces it.
  const database = await readDatabase(paths).catch((err: unknown) => {
    log.error({ err }, 'vulnerability database unreadable');
    return null;
  });
  const [databaseFailure, javaDownload] = await Promise.all([
    readDatabaseFailure(paths),
    readJavaDownload(paths),
  ]);
  const isReady = trivyPath ? trivyPath() !== null : binary.state === 'ready';
  return {
    binary: isReady ? 'ready' : binary.state,
    version: binary.version,
    message:
      isReady && !database
        ? (databaseFailure?.message ?? 'the vulnerability database has not been downloaded yet')
        : binary.message,
    database,
    databaseFailure,
    javaDownload,
    available: isReady && database !== null,
  };
}

/** A lease outlives its scan by this much, in case the clock and the timeout disagree. */
const LEASE_MARGIN_SECONDS = 600;

/** What a scanner has open for all scans. */
interface ScannerParts {
  kept: Analyses | undefined;
  told: Advisories | undefined;
  threads: LayerThreads;
  recent: RecentLayers;
  maxUnpackedBytes: number;
  residents: Residents;
  /** @throws unavailable `SCANNER_UNAVAILABLE` */
  trivy(): Promise<Trivy>;
}

async function scanLayout(
  layoutDir: string,
  { signal, inBackground, ...request }: ScanOptions,
  options: ScannerOptions & ScannerParts,
  paths: ScannerPaths,
): Promise<ScanResult> {
  await using parts = new AsyncDisposableStack();
  const trivy = await options.trivy();
  const dir = parts.use(await openScanDir(paths.runs));
  const seconds = request.timeoutSeconds + LEASE_MARGIN_SECONDS;
  const lease = parts.use(await leaseDatabase(paths, seconds));
  const metadata = await readMetadata(lease.dir, 'db');
  const context = {
    ...trivy,
    ...{ dir, signal },
    nice: inBackground,
    databaseDir: lease.dir,
    basis: await basisOf(lease.dir, paths),
    redisUrl: options.redisUrl,
    analyses: options.kept,
    advisories: options.told,
    version: PINNED_VERSION,
    layersDir: paths.layers,
    threads: options.threads,
    recent: options.recent,
    residents: options.residents,
    buckets: await readBuckets(lease.dir, options.log),
    emptyJava: paths.emptyJava,
    maxUnpackedBytes: options.maxUnpackedBytes,
    dbUpdatedAt: metadata.UpdatedAt,
    log: options.log,
  };
  // Awaited here so that the directory and the lease are not released before the scan ends.
  return await scan({ layoutDir, ...request }, context);
}

/** The database's files may be removed once the server has opened them. */
const START_SECONDS = 600;

async function openMatcher({
  trivy,
  log,
  paths,
  signal,
  ...rest
}: {
  trivy: Trivy;
  log: Logger;
  paths: ScannerPaths;
  signal: AbortSignal | undefined;
  analyses: Analyses;
  advisories: Advisories | undefined;
  redisUrl: string;
}): Promise<Matcher> {
  await using starting = new AsyncDisposableStack();
  const invocation = starting.use(await openInvocation(trivy, paths, signal));
  const lease = starting.use(await leaseDatabase(paths, START_SECONDS));
  const matcher = starting.use(await startMatcher({ ...invocation, ...rest, lease, log }));
  const owned = starting.move();
  return {
    ...matcher,
    isCurrent: async () => (await currentId(paths)) === lease.id,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function currentBasis(paths: ScannerPaths): Promise<ScanBasis | null> {
  const id = await currentId(paths);
  return id === null ? null : basisOf(join(paths.databases, id), paths);
}

async function basisOf(databaseDir: string, { state }: ScannerPaths): Promise<ScanBasis | null> {
  const { state: binary, version } = await readBinaryState(state);
  return binary === 'ready' && version !== null ? { databaseDir, scannerVersion: version } : null;
}

async function openInvocation(
  trivy: Trivy,
  paths: ScannerPaths,
  signal: AbortSignal | undefined,
): Promise<Omit<Invocation, 'databaseDir'> & AsyncDisposable> {
  const dir = await openScanDir(paths.runs);
  return { ...trivy, dir, signal, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** @throws unavailable `SCANNER_UNAVAILABLE` */
async function pathOfTrivy(
  { trivyPath: given }: ScannerOptions,
  paths: ScannerPaths,
): Promise<string> {
  const path = given?.();
  if (path) return path;
  const binary = await readBinaryState(paths.state);
  if (!given && binary.state === 'ready' && binary.path) return binary.path;
  throw unavailable(
    'SCANNER_UNAVAILABLE',
    binary.state === 'ready' ? 'the scanner is not ready' : binary.message,
  );
}
