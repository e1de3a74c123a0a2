/**
 * The api for `npm run bench serve`, in a separate process with a notifier beside it: one that
 * reads the registry's storage, one that forwards everything; and distribution 2.8. Prints one line
 * of JSON once all listen.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { blobOf, pushBlob, pushImage, randomImage, startRegistry } from '@portcullis/testing';
import { startApi } from '../../apps/api/src/api.fixture.ts';
import { redisPid } from './redis-pid.ts';

const MIB = 1 << 20;
const blobMib = Number(process.argv[2] ?? 512);

const direct = await startApi({ RATE_LIMIT_ENABLED: 'false' });
const proxied = await startApi({ RATE_LIMIT_ENABLED: 'false', REGISTRY_STORAGE: '' }, direct);
const id = await direct.account('bench');
await direct.grant(id, 'team', { canPull: true, canPush: true });
// An existence check of an account that may push takes the write lock.
await direct.grant(await direct.account('reader'), 'team', { canPull: true });

const notifier = spawn(
  process.execPath,
  [path.join(import.meta.dirname, '../../apps/notifier/src/main.ts')],
  { env: { ...process.env, ...direct.surroundings.env, LOG_LEVEL: 'error' }, stdio: 'inherit' },
);

const image = await randomImage({ layers: 3, bytes: 1_000, compression: 'gzip' });
const blob = blobOf('application/octet-stream', Buffer.alloc(blobMib * MIB, 'portcullis'));
const old = await startRegistry({ isOld: true });
for (const { url } of [direct.registry, old]) {
  await pushImage(url, 'team/app', '1', image);
  await pushBlob(url, 'team/app', blob);
}

const origins = {
  old: old.url,
  registry: direct.registry.url,
  proxied: proxied.url,
  direct: direct.url,
};
const pids = {
  api: process.pid,
  notifier: notifier.pid,
  Redis: await redisPid(direct.redis),
};
const database = new URL(direct.surroundings.env.DATABASE_URL ?? '').pathname.slice(1);
const { digest } = blob.descriptor;
process.stdout.write(`${JSON.stringify({ origins, pids, database, digest })}\n`);
process.stdin.resume().once('end', async () => {
  notifier.kill();
  await once(notifier, 'exit');
  await proxied.stop();
  await direct.stop();
  await old.stop();
  process.exit(0);
});
