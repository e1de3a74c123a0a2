/** Scans every image of a layout, one after the other, and merges the results. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ScanReport, ScanResult } from '@portcullis/domain';
import { tooLarge, unavailable } from '@portcullis/errors';
import type { Digest } from '@portcullis/oci';
import { type Logger, redisAnswers } from '@portcullis/runtime';
import { linkBesideEmptyIndex } from '../database/java-index.ts';
import { readDetectionLog } from '../database/releases.ts';
import { listPackages, type PackageList, readPackageList } from '../judging/package-list.ts';
import { readWarnings, type ScannerWarnings } from '../judging/scanner-warnings.ts';
import { unjudgedGaps } from '../judging/unjudged-gaps.ts';
import {
  assertSameLayers,
  layerNames,
  type VerifiedImage,
  verifyLayers,
} from '../layers/verify-layers.ts';
import type { Analyses } from '../rematch/analyses.ts';
import { keysInReads, profileOf, type ScannedPart } from '../rematch/scanned-image.ts';
import { shareAnalyses } from '../rematch/share-analyses.ts';
import type { Advisories } from '../reports/advisories.ts';
import {
  artifactFiles,
  noImage,
  partsOf,
  type SeenPart,
  unreadable,
} from '../reports/part-reports.ts';
import type { RawReport } from '../reports/raw-report.ts';
import {
  mergeReports,
  readRawReport,
  toImageReport,
  type Unseen,
  unseen,
} from '../reports/report.ts';
import { storeReports } from '../reports/report-store.ts';
import { type FileWatch, watchFiles } from '../unread/file-watch.ts';
import { type Invocation, runConvert, runScan, type ScanMode } from './cli.ts';
import { classify, type ScanFailure, scanError } from './failure.ts';
import { archivesOf } from './java-archives.ts';
import { type RedisRelay, relayRedis } from './redis-relay.ts';
import { writeScanLayout } from './scan-dir.ts';
import {
  type Artifact,
  reportFile,
  type ScannableImage,
  type ScanSelection,
  type ScanSubject,
  select,
} from './select.ts';
import { type ScanBasis, storeScan } from './stored-scan.ts';

export interface ScanRequest {
  layoutDir: string;
  targets: ScanSubject[];
  timeoutSeconds: number;
  /** Where the full reports are stored for `exportReport`; omitted to store none. */
  reportDir?: string | undefined;
  absent?: AbsentManifests | undefined;
}

/** What an index lists and the layout does not have: it is not judged. */
export interface AbsentManifests {
  digests: ReadonlySet<Digest>;
  /**
   * No other scan of the index can see them, as nothing here has them. Otherwise what is learned
   * about the index is not kept for other scans.
   */
  areNowhere: boolean;
}

export interface ScanContext extends Invocation {
  redisUrl?: string | undefined;
  /** The durable copy of what Redis caches. */
  analyses?: Analyses | undefined;
  /** Where what reports say about vulnerabilities is kept. */
  advisories?: Advisories | undefined;
  version: string;
  /** Key under which the result is stored; null where Trivy's version is unknown. */
  basis: ScanBasis | null;
  dbUpdatedAt: string | null;
  /** Cache of facts about layers. */
  layersDir: string;
  /** The releases that the database has advisories for; null where the list cannot be read. */
  buckets: ReadonlySet<string> | null;
  /** An empty index of Java archives. */
  emptyJava: string;
  /** Bound on one image's unpacked size. */
  maxUnpackedBytes: number;
  log: Logger;
}

/** @throws AppError `SCAN_*`; the signal's reason when aborted */
export async function scan(request: ScanRequest, context: ScanContext): Promise<ScanResult> {
  const { absent } = request;
  const selection = await select(request.layoutDir, request.targets, absent?.digests);
  const deadline = Date.now() + request.timeoutSeconds * 1000;
  const scanned: Scanned[] = [];
  for (const image of selection.images) {
    scanned.push(await scanImage(image, request, { ...context, deadline }));
  }
  const reports = scanned.map(({ report }) => report);
  const scanner = {
    name: 'trivy',
    version: reports[0]?.version ?? context.version,
    dbUpdatedAt: context.dbUpdatedAt,
  };
  const uncovered = uncoveredBy(selection);
  const merged = mergeReports([...reports, ...unseen(uncovered, reports)], scanner);
  const [target, ...others] = request.targets;
  const digest = others.length === 0 ? target?.digest : undefined;
  const result = {
    report: { ...artifactTypeOf(digest, selection), ...merged },
    parts: digest === undefined ? [] : partsOf(digest, scanned, selection, scanner),
  };
  const isPartial = absent !== undefined && absent.digests.size > 0;
  if (!isPartial || absent.areNowhere)
    await keepAnalyses(scanned, uncovered, request, { ...context, version: scanner.version });
  if (request.reportDir) {
    await storeReports(context.dir.path, request.reportDir, selection.images);
    if (!isPartial) await keep(result, { ...request, reportDir: request.reportDir }, context);
  }
  return result;
}

/** A full disk must not fail a scan that succeeded. */
async function keep(
  result: ScanResult,
  { targets, reportDir }: Pick<ScanRequest, 'targets'> & { reportDir: string },
  { basis, log }: ScanContext,
): Promise<void> {
  const [target, ...others] = targets;
  if (!basis || !target || others.length > 0) return;
  await storeScan(basis, target.digest, { ...result, reportDir }).catch((err: unknown) =>
    log.warn(
      { err, digest: target.digest },
      'a scan was not stored for the next scan of the same image',
    ),
  );
}

/** No scan fails for it: without them the image is scanned again after each database update. */
async function keepAnalyses(
  scanned: readonly Scanned[],
  uncovered: readonly Unseen[],
  { targets }: ScanRequest,
  { analyses, version, log }: ScanContext,
): Promise<void> {
  const [target, ...others] = targets;
  const parts = scanned.flatMap(({ part }) => part ?? []);
  const isWhole = parts.length > 0 && parts.length === scanned.length;
  if (!analyses || !target || others.length > 0 || !isWhole) return;
  const { digest } = target;
  const kept = analyses.keep(digest, profileOf(version), {
    parts,
    unseen: uncovered.map(({ note }) => note),
    gaps: uncovered.map(({ gap }) => gap),
  });
  await kept.catch((err: unknown) =>
    log.warn({ err, digest }, "the analyses of an image's layers were not stored"),
  );
}

function uncoveredBy({ images, artifacts, ...selection }: ScanSelection): Unseen[] {
  const unread = selection.unreadable.map(unreadable);
  if (images.length === 0 && unread.length === 0) {
    return [noImage(namesake(artifacts))];
  }
  return [...unread, ...artifacts.filter(({ isOpaque }) => isOpaque).map(artifactFiles)];
}

/** A build cache is named by its configuration, not by its layers. */
function namesake(artifacts: readonly Artifact[]): Artifact | undefined {
  return artifacts.find(({ isOpaque }) => !isOpaque) ?? artifacts[0];
}

/** Of a root that is an artifact itself, or an index of blobs. */
function artifactTypeOf(
  root: string | undefined,
  { images, unreadable: unread, artifacts }: ScanSelection,
): Pick<ScanReport, 'artifactType'> {
  const isOfBlobs =
    images.length + unread.length === 0 && artifacts.every((each) => !each.isManifest);
  const itself =
    artifacts.find(({ digest }) => digest === root) ?? (isOfBlobs && namesake(artifacts));
  return itself ? { artifactType: itself.type } : {};
}

interface ImageContext extends ScanContext {
  deadline: number;
}

interface Scanned extends SeenPart {
  /** Null where it is unknown which analyses the report was made from. */
  part: ScannedPart | null;
}

async function scanImage(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<Scanned> {
  const verified = await verifyInTime(image, request, context);
  await writeScanLayout(context.dir.path, request.layoutDir, image, verified);
  await restoreLayers(verified, context);
  const run = runUntilDone(image, request, context).finally(() => verified.confirmed);
  const { mode, stderr, warnings, reads } = await run;
  const watch = watchFiles(verified.files.files);
  const { raw, packages } = await readReport(reportFile(image), watch, context);
  assertSameLayers(raw.Metadata?.DiffIDs ?? [], verified);
  await context.advisories?.keep(raw);
  const archives =
    mode.javaIndex === 'empty'
      ? await archivesOf(request.layoutDir, image.layers, context.signal)
      : null;
  const log = readDetectionLog(stderr);
  const unjudged = unjudgedGaps({
    packages,
    databases: verified.databases,
    files: { ...verified.files, unreported: watch.unreported() },
    hasJavaIndex: archives === null,
    configOs: verified.os,
    family: raw.Metadata?.OS?.Family || null,
    warnings: warnings.messages,
  });
  const report = toImageReport(raw, {
    platform: image.platform,
    packages,
    buckets: context.buckets,
    log,
    archives,
    hasOs: verified.hasOs,
    digestOf: layerNames(verified),
    unverified: verified.unverified,
    isIndexed: image.isIndexed,
    unjudged,
    baseLayers: verified.baseLayers,
  });
  const part = partOf(image, verified, { raw, reads, log, archives, unjudged });
  return { digest: image.digest, report, part: warnings.fromAnalysis ? null : part };
}

interface Facts extends Pick<ScannedPart, 'log' | 'archives' | 'unjudged'> {
  raw: RawReport;
  reads: string[] | null;
}

function partOf(
  { digest, platform, isIndexed }: ScannableImage,
  { layers, hasOs, unverified, baseLayers }: VerifiedImage,
  { raw, reads, log, archives, unjudged }: Facts,
): ScannedPart | null {
  const keys = keysInReads(
    reads,
    layers.map(({ diffId }) => diffId),
  );
  if (keys === null) return null;
  const os = raw.Metadata?.OS;
  return {
    digest,
    platform,
    artifact: keys.artifact,
    layers: layers.map(({ diffId, name }, at) => ({ key: keys.layers[at] ?? '', diffId, name })),
    hasOs,
    unverified,
    isIndexed,
    unjudged: [...unjudged],
    baseLayers,
    log,
    archives,
    os: os?.Family
      ? {
          family: os.Family,
          name: os.Name ?? '',
          eosl: os.EOSL ?? false,
          extended: os.extended ?? false,
        }
      : null,
  };
}

/** What can't be put back is analysed again. */
async function restoreLayers(
  { layers }: VerifiedImage,
  { analyses, log }: ImageContext,
): Promise<void> {
  await analyses
    ?.restoreLayers(layers.map(({ diffId }) => diffId))
    .catch((err: unknown) => log.warn({ err }, 'kept analyses were not put back into Redis'));
}

/** Within the scan's timeout: a layer may unpack to far more than its size. */
async function verifyInTime(
  image: ScannableImage,
  request: ScanRequest,
  { deadline, layersDir, maxUnpackedBytes, signal }: ImageContext,
): Promise<VerifiedImage> {
  const limit = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
  const both = signal ? AbortSignal.any([signal, limit]) : limit;
  const fault = (error: unknown): never => {
    signal?.throwIfAborted();
    throw limit.aborted ? timedOut(request) : error;
  };
  const dirs = { layoutDir: request.layoutDir, cacheDir: layersDir };
  const verified = await verifyLayers(image, { ...dirs, maxUnpackedBytes, signal: both }).catch(
    fault,
  );
  const confirmed = verified.confirmed.catch(fault);
  confirmed.catch(() => {});
  return { ...verified, confirmed };
}

interface Run {
  mode: ScanMode;
  stderr: string;
  warnings: ScannerWarnings;
  reads: string[] | null;
}

/** Runs Trivy, and again where another mode may help; each remedy is tried once. */
async function runUntilDone(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<Run> {
  const tried = new Set<ScanFailure>();
  await using redis = await reachRedis(context);
  let mode: ScanMode = { cacheBackend: redis?.url ?? 'memory', javaIndex: 'real', parallel: 2 };
  const share = (areHeard: boolean) => shareAnalyses(redis?.takeWritten() ?? [], areHeard, context);
  for (;;) {
    const timeoutSeconds = Math.ceil((context.deadline - Date.now()) / 1000);
    if (timeoutSeconds <= 0) throw timedOut(request);
    const ask = { digest: image.digest, output: reportFile(image), timeoutSeconds };
    const result = await runScan(await withIndex(mode, context), mode, ask).catch(
      async (error: unknown) => {
        await share(false);
        throw error;
      },
    );
    const reads = mode.cacheBackend === 'memory' ? null : (redis?.takeReads() ?? null);
    const warnings = readWarnings(result.stderr);
    // A scan that failed may have analysed most layers without a warning.
    await share(!warnings.fromAnalysis);
    if (result.code === 0) return { mode, stderr: result.stderr, warnings, reads };
    const failure = classify(result);
    const remedy = tried.has(failure) ? null : remedyFor(failure, mode);
    context.log.warn(
      {
        failure,
        digest: image.digest,
        stderr: result.stderr.slice(-2_000),
        again: remedy !== null,
      },
      'scanner failed',
    );
    if (!remedy) throw scanError(failure, result, request.timeoutSeconds);
    tried.add(failure);
    mode = remedy;
  }
}

/** Uses the same database with an empty index of Java archives in place of the missing one. */
async function withIndex({ javaIndex }: ScanMode, context: ImageContext): Promise<Invocation> {
  if (javaIndex === 'real') return context;
  const databaseDir = join(context.dir.path, 'without-java-index');
  await linkBesideEmptyIndex(context.databaseDir, context.emptyJava, databaseDir);
  return { ...context, databaseDir };
}

function remedyFor(failure: ScanFailure, mode: ScanMode): ScanMode | null {
  switch (failure) {
    case 'cache':
      return { ...mode, cacheBackend: 'memory' };
    case 'java_database':
      return { ...mode, javaIndex: 'empty' };
    case 'out_of_memory':
      return { ...mode, parallel: 1 };
    default:
      return null;
  }
}

async function reachRedis({ redisUrl, log }: ScanContext): Promise<RedisRelay | null> {
  if (redisUrl === undefined) return null;
  if (await redisAnswers(redisUrl)) return relayRedis(redisUrl);
  log.warn('Redis does not answer: layers are not cached for later scans');
  return null;
}

function timedOut({ timeoutSeconds }: ScanRequest): Error {
  return unavailable('SCAN_TIMEOUT', `the scan took longer than ${timeoutSeconds} s`);
}

/**
 * Above this size the packages, most of a report, are read line by line and removed before parsing:
 * a string holds 512 MiB.
 */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;
const MAX_SLIM_BYTES = 256 * 1024 * 1024;

async function readReport(
  file: string,
  watch: FileWatch,
  context: ImageContext,
): Promise<{ raw: RawReport; packages: PackageList }> {
  const path = join(context.dir.path, file);
  const { size } = await stat(path);
  if (size <= MAX_PARSED_BYTES) {
    const raw = await readRawReport(await readFile(path));
    return { raw, packages: listPackages(raw, watch) };
  }
  const lines = createInterface({ input: createReadStream(path) });
  const packages = await readPackageList(lines, watch);
  const slim = `${file}.slim`;
  const args = { format: 'json', input: file, output: slim, packages: false };
  const result = await runConvert(context, args);
  if (result.code !== 0) throw scanError(classify(result), result, 0);
  const slimPath = join(context.dir.path, slim);
  if ((await stat(slimPath)).size > MAX_SLIM_BYTES)
    throw tooLarge('SCAN_REPORT_TOO_LARGE', "the scanner's report is too large");
  return { raw: await readRawReport(await readFile(slimPath)), packages };
}
