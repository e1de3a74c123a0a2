/**
 * `npm run bench garbage [-- manifests]`: a garbage collection with `delete_untagged` by a worker,
 * of a store of 100,000 manifests of which half have no tag, while a client pushes small images
 * through `/v2` and another pulls. Prints manifests deleted per minute, and the longest requests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWriteLock } from '@portcullis/local-registry';
import { startApi, type TestApi } from '../../apps/api/src/api.fixture.ts';
import { type BenchClient, startReader, startWriter } from './garbage/garbage-clients.ts';
import { writeStore } from './garbage/garbage-store.ts';

const manifests = Number(process.argv[2] ?? 100_000);
const BEFORE_MS = 10_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function startWorker({ surroundings }: TestApi) {
  const main = path.join(import.meta.dirname, '../../apps/worker/src/main.ts');
  const settings = {
    SECRET_KEY: '01'.repeat(32),
    TRIVY_ENABLED: 'false',
    EPSS_URL: 'off',
    KEV_URL: 'off',
    WORKER_GRACE_SECONDS: '0',
    LOG_LEVEL: 'warn',
  };
  const env = { ...process.env, ...surroundings.env, ...settings };
  return spawn(process.execPath, [main], { env, stdio: 'inherit' });
}

function show(name: string, times: number[]): void {
  const at = (share: number) =>
    `${(times.at(Math.floor(times.length * share)) ?? 0).toFixed(0)} ms`;
  const last = `${(times.at(-1) ?? 0).toFixed(0)} ms`;
  say(`${name}: ${times.length} requests, median ${at(0.5)}, 99 % ${at(0.99)}, longest ${last}`);
}

async function collection({ store }: TestApi) {
  const options = { deleteUntagged: true };
  await store.maintenance.request({ kind: 'gc', options, requestedBy: 'bench' });
  for (;;) {
    const run = await store.maintenance.latest('gc');
    if (run?.state === 'done') return run;
    if (run?.state === 'failed') throw new Error(JSON.stringify(run.error));
    await sleep(100);
  }
}

const api = await startApi({ RATE_LIMIT_ENABLED: 'false' });
await api.grant(await api.account('bench'), 'team', { canPull: true, canPush: true });
// The lock has recorded writes since before these.
await createWriteLock(api.redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
const place = {
  storageDir: api.registry.storageDir,
  databaseUrl: api.surroundings.env.DATABASE_URL ?? '',
};
const tagged = await writeStore(place, manifests);
say(`${manifests} manifests, ${tagged.length} of them tagged`);
const worker = await startWorker(api);
const writer: BenchClient = startWriter(api.url);
const reader: BenchClient = startReader(api.url, tagged);
await sleep(BEFORE_MS);
show('writes before', writer.taken());
show('reads before', reader.taken());
const began = performance.now();
const run = await collection(api);
const seconds = (performance.now() - began) / 1000;
await Promise.all([writer.stop(), reader.stop()]);
const deleted = run.result.manifestsDeleted ?? 0;
const perMinute = Math.round((deleted / seconds) * 60);
say(`${deleted} manifests and ${run.result.blobsDeleted} blobs in ${seconds.toFixed(1)} s:`);
say(`${perMinute} manifests per minute`);
show('writes', writer.taken());
show('reads', reader.taken());
worker.kill('SIGTERM');
await once(worker, 'exit');
await api.stop();
