/** Runs Trivy on what was verified of an image. */
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { linkBesideEmptyIndex } from '../database/java-index.ts';
import { readWarnings, type ScannerWarnings } from '../judging/scanner-warnings.ts';
import { type VerifiedImage, verifyLayers } from '../layers/verify-layers.ts';
import { shareAnalyses } from '../rematch/share-analyses.ts';
import { type Invocation, runScan, type ScanMode } from './cli.ts';
import { classify, type ScanFailure, scanError } from './failure.ts';
import { openCache } from './scan-cache.ts';
import type { ImageContext, ScanRequest } from './scan-context.ts';
import { writeScanLayout } from './scan-dir.ts';
import { reportFile, type ScannableImage } from './select.ts';

/** The image, and what Trivy said of what was verified of it. */
export async function verifyAndRun(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<{ verified: VerifiedImage; run: Run }> {
  if (!context.nice) context.residents.prepare(context.trivyPath);
  const verified = await writeLayout(image, request, context);
  try {
    return { verified, run: await runUntilDone(image, request, context) };
  } finally {
    void keepLayers(verified, image, context);
  }
}

/** No verdict waits for it. */
async function keepLayers(
  verified: VerifiedImage,
  { digest }: ScannableImage,
  { log, threads }: ImageContext,
): Promise<void> {
  await verified.keep().catch((err: unknown) => {
    if (threads.closed.aborted) return;
    log.warn({ err, digest }, 'what was read of a layer was not kept');
  });
}

/** Verifies the image, and writes what Trivy reads of it. */
async function writeLayout(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<VerifiedImage> {
  const verified = await verifyInTime(image, request, context);
  await writeScanLayout(context.dir.path, request.layoutDir, image, verified);
  await restoreLayers(verified, context);
  return verified;
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
  { deadline, layersDir, signal, ...context }: ImageContext,
): Promise<VerifiedImage> {
  const limit = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
  const both = signal ? AbortSignal.any([signal, limit]) : limit;
  const dirs = { layoutDir: request.layoutDir, cacheDir: layersDir };
  try {
    return await verifyLayers(image, { ...context, ...dirs, signal: both });
  } catch (error) {
    signal?.throwIfAborted();
    throw limit.aborted ? timedOut(request) : error;
  }
}

export interface Run {
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
  await using cache = await openCache(context);
  const { redis } = cache;
  let { mode } = cache;
  const share = (areHeard: boolean) => shareAnalyses(redis?.takeWritten() ?? [], areHeard, context);
  for (;;) {
    const timeoutSeconds = Math.ceil((context.deadline - Date.now()) / 1000);
    if (timeoutSeconds <= 0) throw timedOut(request);
    const ask = { digest: image.digest, output: reportFile(image), timeoutSeconds };
    const result = await runScan(await invocationOf(mode, context), mode, ask).catch(
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

/** By a Trivy that stays; with an empty index of Java archives in place of a missing one. */
async function invocationOf({ javaIndex }: ScanMode, context: ImageContext): Promise<Invocation> {
  const invocation = { ...context, run: context.residents.run };
  if (javaIndex === 'real') return invocation;
  const databaseDir = join(context.dir.path, 'without-java-index');
  await linkBesideEmptyIndex(context.databaseDir, context.emptyJava, databaseDir);
  return { ...invocation, databaseDir };
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

function timedOut({ timeoutSeconds }: ScanRequest): Error {
  return unavailable('SCAN_TIMEOUT', `the scan took longer than ${timeoutSeconds} s`);
}
