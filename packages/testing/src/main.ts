/**
 * Downloads and builds the tools of the tests into the cache. `npm test` runs it beside the unit
 * tests.
 */
import { acquireBinary, acquireRegistry, consoleLine, REDIS, SKOPEO } from '@portcullis/embedded';
import { createLogger } from '@portcullis/runtime';
import { acquireTrivy } from '@portcullis/scanner';
import { testCacheDir, testEnv } from './config.ts';
import { RSYSLOG } from './servers/syslog.ts';
import { CHROMIUM } from './tools/chromium.ts';
import { testGo } from './tools/go.ts';

const log = (text: string) => process.stderr.write(`[portcullis] ${text}\n`);

const scannerLog = createLogger({ name: 'scanner', destination: { write: showLog } });

function showLog(line: string): void {
  const shown = consoleLine('scanner', line.trimEnd(), 'info');
  if (shown !== null) log(shown);
}

async function acquireAll(signal: AbortSignal): Promise<void> {
  const options = { cacheDir: testCacheDir, env: testEnv, signal, log };
  const programs = [SKOPEO, REDIS, RSYSLOG, CHROMIUM].map((program) =>
    acquireBinary(program, options),
  );
  await Promise.all([
    ...programs,
    acquireRegistry(options),
    acquireTrivy({
      cacheDir: testCacheDir,
      env: testEnv,
      log: scannerLog,
      signal,
      fetchGo: testGo,
    }),
  ]);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  await acquireAll(stopping.signal);
} catch (error) {
  log(`the tools of the tests are not ready: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
