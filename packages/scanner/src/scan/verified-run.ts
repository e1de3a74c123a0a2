/** Runs Trivy on what was verified of an image. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { redisAnswers } from '@portcullis/runtime';
import { linkBesideEmptyIndex } from '../database/java-index.ts';
import { readWarnings, type ScannerWarnings } from '../judging/scanner-warnings.ts';
import { type VerifiedImage, verifyLayers } from '../layers/verify-layers.ts';
import { shareAnalyses } from '../rematch/share-analyses.ts';
import { type Invocation, runScan, type ScanMode } from './cli.ts';
import { classify, type ScanFailure, scanError } from './failure.ts';
import { holdIndex, writeIndex } from './held-index.ts';
import { type RedisRelay, relayRedis } from './redis-relay.ts';
import type { ImageContext, ScanRequest } from './scan-context.ts';
import { writeScanLayout } from './scan-dir.ts';
import { reportFile, type ScannableImage } from './select.ts';

/** The image and what Trivy said of it: it is started meanwhile, and gets what was verified. */
export async function verifyAndRun(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
): Promise<{ verified: VerifiedImage; run: Run }> {
  const { signal, dir } = context;
  const refused = new AbortController();
  const held = await holdIndex(dir.path);
  const written = writeLayout(image, request, context, held).catch(async (error) => {
    refused.abort(error);
    await writeIndex(dir.path, '', held);
    throw error;
  });
  written.catch(() => {});
  if (!held) await written;
  const until = signal ? AbortSignal.any([signal, refused.signal]) : refused.signal;
  const run = await runUntilDone(image, request, { ...context, signal: until }, written);
  return { verified: await written, run };
}

/** Verifies the image, and writes what Trivy reads of it. */
async function writeLayout(
  image: ScannableImage,
  request: ScanRequest,
  context: ImageContext,
  held: FileHandle | null,
): Promise<VerifiedImage> {
  const { path } = context.dir;
  const verified = await verifyInTime(image, request, context);
  verified.cached.catch((err: unknown) =>
    context.log.warn({ err, digest: image.digest }, 'what was read of a layer was not kept'),
  );
  const index = await writeScanLayout(path, request.layoutDir, image, verified);
  await restoreLayers(verified, context);
  await writeIndex(path, index, held);
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
  { deadline, layersDir, threads, maxUnpackedBytes, signal }: ImageContext,
): Promise<VerifiedImage> {
  const limit = AbortSignal.timeout(Math.max(0, deadline - Date.now()));
  const both = signal ? AbortSignal.any([signal, limit]) : limit;
  const dirs = { layoutDir: request.layoutDir, cacheDir: layersDir };
  try {
    return await verifyLayers(image, { ...dirs, threads, maxUnpackedBytes, signal: both });
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
  written: Promise<unknown>,
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
    await written;
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

async function reachRedis({ redisUrl, log }: ImageContext): Promise<RedisRelay | null> {
  if (redisUrl === undefined) return null;
  if (await redisAnswers(redisUrl)) return relayRedis(redisUrl);
  log.warn('Redis does not answer: layers are not cached for later scans');
  return null;
}

function timedOut({ timeoutSeconds }: ScanRequest): Error {
  return unavailable('SCAN_TIMEOUT', `the scan took longer than ${timeoutSeconds} s`);
}
