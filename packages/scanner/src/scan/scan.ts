/** Scans every image of a layout, one after the other, and merges the results. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ScanReport, ScanResult } from '@portcullis/domain';
import { tooLarge } from '@portcullis/errors';
import { readDetectionLog } from '../database/releases.ts';
import { listPackages, type PackageList, readPackageList } from '../judging/package-list.ts';
import { unjudgedGaps } from '../judging/unjudged-gaps.ts';
import { assertSameLayers, layerNames, type VerifiedImage } from '../layers/verify-layers.ts';
import { keysInReads, profileOf, type ScannedPart } from '../rematch/scanned-image.ts';
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
import { runConvert } from './cli.ts';
import { classify, scanError } from './failure.ts';
import { archivesOf } from './java-archives.ts';
import type { ImageContext, ScanContext, ScanRequest } from './scan-context.ts';
import {
  type Artifact,
  reportFile,
  type ScannableImage,
  type ScanSelection,
  select,
} from './select.ts';
import { storeScan } from './stored-scan.ts';
import { verifyAndRun } from './verified-run.ts';

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
  const isWhole = !isPartial || absent.areNowhere;
  await Promise.all([
    isWhole && keepAnalyses(scanned, uncovered, request, { ...context, version: scanner.version }),
    keepReports(selection, { result, isPartial }, request, context),
  ]);
  return result;
}

async function keepReports(
  { images }: ScanSelection,
  { result, isPartial }: { result: ScanResult; isPartial: boolean },
  { reportDir, ...request }: ScanRequest,
  context: ScanContext,
): Promise<void> {
  if (!reportDir) return;
  await storeReports(context.dir.path, reportDir, images);
  if (!isPartial) await keep(result, { ...request, reportDir }, context);
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

interface Scanned extends SeenPart {
  /** Null where it is unknown which analyses the report was made from. */
  part: ScannedPart | null;
}

async function scanImage(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<Scanned> {
  const { verified, run } = await verifyAndRun(image, request, context);
  const { mode, stderr, warnings, reads } = run;
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
