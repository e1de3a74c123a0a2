/**
 * Downloads and builds the tools of the tests into the cache. `npm test` runs it beside the unit
 * tests; with `night` it also builds what the tests of the night alone use.
 */
import { acquireBinary, acquirePinned, acquireRegistry, REDIS, SKOPEO } from '@portcullis/embedded';
import { TRIVY_PROGRAM } from '@portcullis/scanner';
import { testCacheDir, testEnv } from './config.ts';
import { RSYSLOG } from './servers/syslog.ts';
import { CHROMIUM } from './tools/chromium.ts';
import { NIGHT_BUILDS } from './tools/night-builds.ts';

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

/** One after the other: each uses all processors. One that fails is left to the tests that need it. */
async function buildForNight(signal: AbortSignal): Promise<void> {
  for (const [name, build] of NIGHT_BUILDS) {
    signal.throwIfAborted();
    await withPatience(name, build).catch((error) =>
      log(`${name} can't be built, and the tests that need it will fail: ${reasonOf(error)}`),
    );
  }
}

/** Says what is built where it takes a while: what is in the cache is there at once. */
async function withPatience(name: string, build: () => Promise<unknown>): Promise<void> {
  const from = Date.now();
  const seconds = () => `${((Date.now() - from) / 1000).toFixed(0)} s`;
  const timer = setInterval(
    () => log(`building ${name} for the night, once: ${seconds()}`),
    15_000,
  );
  await build().finally(() => clearInterval(timer));
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  await acquireAll(stopping.signal);
  if (process.argv.includes('night')) await buildForNight(stopping.signal);
} catch (error) {
  log(`the tools of the tests are not ready: ${reasonOf(error)}`);
  process.exitCode = 1;
}
