/** Runs Trivy on what was verified of an image. */
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { linkBesideEmptyIndex } from '../database/java-index.ts';
import { readWarnings, type ScannerWarnings } from '../judging/scanner-warnings.ts';
import { type VerifiedImage, verifyLayers } from '../layers/verify-layers.ts';
import { shareAnalyses } from '../rematch/share-analyses.ts';
import { type Invocation, runScan, type ScanMode } from './cli.ts';
import type { EarlyRun } from './early-run.ts';
import { classify, type ScanFailure, scanError } from './failure.ts';
import { endWait, holdIndex, removeIndex, writeIndex } from './held-index.ts';
import { NO_CACHE, openCache } from './scan-cache.ts';
import type { ImageContext, ScanRequest } from './scan-context.ts';
import { writeScanLayout } from './scan-dir.ts';
import { reportFile, type ScannableImage } from './select.ts';

/** The image and what Trivy said of it: it is started meanwhile, and gets what was verified. */
export async function verifyAndRun(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<{ verified: VerifiedImage; run: Run }> {
  const { signal, dir, run: start } = context;
  const early = context.early?.digest === image.digest ? context.early : null;
  const refused = new AbortController();
  if (!early) await removeIndex(dir.path);
  const holding = early ? Promise.resolve(early.index) : holdIndex(dir.path, start);
  const placed = writeLayout(image, request, context).catch(async (error) => {
    refused.abort(error);
    await writeIndex(dir.path, '');
    throw error;
  });
  const index = placed.then(
    ({ index }) => index,
    () => '',
  );
  const fed = Promise.all([holding, index]).then(([held, text]) => endWait(held, text));
  const written = Promise.all([placed, fed]);
  written.catch(() => {});
  // Where all is known of the image, it is verified before there is a pipe.
  if (!(await Promise.race([holding, placed.then(() => null)]))) await placed;
  const until = signal ? AbortSignal.any([signal, refused.signal]) : refused.signal;
  until.addEventListener('abort', () => early?.abort(until.reason), { once: true });
  try {
    const running = { ...context, signal: until };
    const run = await runUntilDone(image, request, running, { written, early });
    const [{ verified }] = await written;
    return { verified, run };
  } finally {
    void placed.then(({ verified }) => keepLayers(verified, image, context)).catch(() => {});
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
): Promise<{ verified: VerifiedImage; index: string }> {
  const { path } = context.dir;
  const verified = await verifyInTime(image, request, context);
  const index = await writeScanLayout(path, request.layoutDir, image, verified);
  await restoreLayers(verified, context);
  await writeIndex(path, index);
  return { verified, index };
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
  { written, early }: { written: Promise<unknown>; early: EarlyRun | null },
): Promise<Run> {
  const tried = new Set<ScanFailure>();
  await using own = early ? null : await openCache(context);
  const { redis, mode: first } = early?.cache ?? own ?? NO_CACHE;
  let mode = first;
  let begun = early?.result;
  const share = (areHeard: boolean) => shareAnalyses(redis?.takeWritten() ?? [], areHeard, context);
  for (;;) {
    const timeoutSeconds = Math.ceil((context.deadline - Date.now()) / 1000);
    if (timeoutSeconds <= 0) throw timedOut(request);
    const ask = { digest: image.digest, output: reportFile(image), timeoutSeconds };
    const isEarly = begun !== undefined;
    const running = begun ?? runScan(await withIndex(mode, context), mode, ask);
    begun = undefined;
    const result = await running.catch(async (error: unknown) => {
      await share(false);
      throw error;
    });
    await written;
    // It may have ended before the image was there: that says nothing about the image.
    if (isEarly && result.code !== 0) {
      redis?.takeReads();
      await share(false);
      continue;
    }
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

function timedOut({ timeoutSeconds }: ScanRequest): Error {
  return unavailable('SCAN_TIMEOUT', `the scan took longer than ${timeoutSeconds} s`);
}
