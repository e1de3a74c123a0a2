/**
 * Trivy that is started for an image before its download ends. It waits for the index of its layout
 * (held-index.ts), as one that is started with its scan, and differs in nothing but the time: where
 * it can't be started, or ends before it is shown an image, the scan starts another.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Digest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import type { DatabaseLease } from '../database/database-dir.ts';
import type { RunResult } from '../process/run.ts';
import { runScan, type Trivy } from './cli.ts';
import { holdIndex } from './held-index.ts';
import { openCache, type ScanCache } from './scan-cache.ts';
import { openScanDir, type ScanDir } from './scan-dir.ts';
import { reportFile } from './select.ts';

export interface EarlyRun extends AsyncDisposable {
  digest: Digest;
  dir: ScanDir;
  lease: DatabaseLease;
  cache: ScanCache;
  /** The pipe that it waits at. */
  index: FileHandle;
  result: Promise<RunResult>;
  /** Ends it. */
  abort(reason: unknown): void;
}

export interface EarlyRunContext {
  trivy: Trivy;
  runsDir: string;
  lease: DatabaseLease;
  redisUrl: string | undefined;
  log: Logger;
}

const NOT_STARTED: RunResult = {
  ...{ code: null, signal: null },
  ...{ stdout: '', stderr: '', timedOut: false },
};

/**
 * Takes over the lease. Null where nothing holds the index of a layout.
 *
 * @param timeoutSeconds of the scan
 */
export async function startEarly(
  digest: Digest,
  timeoutSeconds: number,
  { trivy, runsDir, lease, redisUrl, log }: EarlyRunContext,
): Promise<EarlyRun | null> {
  await using parts = new AsyncDisposableStack();
  parts.use(lease);
  const dir = parts.use(await openScanDir(runsDir));
  const cache = parts.use(await openCache({ redisUrl, log }));
  const index = await holdIndex(dir.path, trivy.run);
  if (!index) return null;
  parts.use(index);
  const ending = new AbortController();
  const { signal } = ending;
  const invocation = { ...trivy, dir, databaseDir: lease.dir, signal };
  const ask = { digest, output: reportFile({ digest }), timeoutSeconds };
  const result = runScan(invocation, cache.mode, ask).catch(() => {
    signal.throwIfAborted();
    return NOT_STARTED;
  });
  parts.defer(async () => {
    ending.abort(new Error('the scan has ended'));
    await result.catch(() => {});
  });
  const owned = parts.move();
  return {
    ...{ digest, dir, lease, cache, index, result },
    abort: (reason) => ending.abort(reason),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export interface EarlyRunsPorts {
  /** Null where nothing is to be started. */
  start(digest: Digest, timeoutSeconds: number): Promise<EarlyRun | null>;
  log: Pick<Logger, 'debug' | 'warn'>;
}

/** What is not scanned by then was started in vain, and has the memory of a scan. */
const EARLY_SECONDS = 30;

export interface EarlyRuns {
  /**
   * Starts one, unless one waits or a scan runs: two would take the memory of two scans.
   *
   * @param timeoutSeconds of the scan
   */
  expect(digest: Digest, timeoutSeconds: number): void;
  /** The one of this image: the caller disposes it. Null where there is none. */
  take(digest: Digest | undefined): Promise<EarlyRun | null>;
  /** Counts a scan while it runs. */
  during<T>(scan: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createEarlyRuns({ start, log }: EarlyRunsPorts): EarlyRuns {
  let running = 0;
  let waiting: { digest: Digest; run: Promise<EarlyRun | null>; end: NodeJS.Timeout } | null = null;

  async function take(digest: Digest | undefined): Promise<EarlyRun | null> {
    if (waiting === null || waiting.digest !== digest) return null;
    const { run, end } = waiting;
    waiting = null;
    clearTimeout(end);
    return run;
  }

  async function drop(): Promise<void> {
    await (await take(waiting?.digest))?.[Symbol.asyncDispose]();
  }

  return {
    take,
    expect(digest, timeoutSeconds) {
      if (waiting !== null || running > 0) return;
      const run = start(digest, timeoutSeconds + EARLY_SECONDS).catch((err: unknown) => {
        log.debug({ err, digest }, 'the scanner was not started before its scan');
        return null;
      });
      const end = setTimeout(() => {
        drop().catch((err: unknown) =>
          log.warn({ err, digest }, 'files of a scan were not removed'),
        );
      }, EARLY_SECONDS * 1_000).unref();
      waiting = { digest, run, end };
      void run.then((begun) => begun ?? take(digest));
    },
    async during(scan) {
      running += 1;
      try {
        return await scan();
      } finally {
        running -= 1;
      }
    },
    close: drop,
  };
}
