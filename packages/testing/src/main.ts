/**
 * Downloads and builds the tools of the tests into the cache. `npm test` runs it beside the unit
 * tests; with `night` it also builds what only the tests of the night use.
 */
import { acquireBinary, acquirePinned, acquireRegistry, REDIS, SKOPEO } from '@portcullis/embedded';
import { TRIVY_PROGRAM } from '@portcullis/scanner';
import { testCacheDir, testEnv } from './config.ts';
import { RSYSLOG } from './servers/syslog.ts';
import { buildForTests } from './tools/builds.ts';
import { CHROMIUM } from './tools/chromium.ts';

const log = (text: string) => process.stderr.write(`[portcullis] ${text}\n`);

async function acquireAll(signal: AbortSignal): Promise<void> {
  const options = { cacheDir: testCacheDir, env: testEnv, signal, log };
  const programs = [SKOPEO, REDIS, RSYSLOG, CHROMIUM].map((program) =>
    acquireBinary(program, options),
  );
  const registry = acquireRegistry({ ...options, pinnedOnly: true });
  await Promise.all([
    ...programs,
    registry,
    acquirePinned(TRIVY_PROGRAM, { ...options, mayBuild: registry }),
  ]);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  await acquireAll(stopping.signal);
  await buildForTests(process.argv.includes('night'), stopping.signal, log);
} catch (error) {
  log(`the tools of the tests are not ready: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
