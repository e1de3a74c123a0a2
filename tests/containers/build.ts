/**
 * Builds both images from their Dockerfiles as they are, without an engine: `npm run containers`. What Go has compiled
 * and fetched on this machine is lent to the build, for the scanner takes minutes otherwise.
 */
import path from 'node:path';
import { run } from '@portcullis/embedded';
import { testEnv } from '@portcullis/testing';
import { ensureBaseImages, ensureServiceImages } from './base-images.ts';
import { API_IMAGE, buildah, WORKER_IMAGE } from './engine.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const say = (text: string) => process.stderr.write(`[portcullis] ${text}\n`);

async function build(file: string, tag: string, volumes: readonly string[]): Promise<void> {
  const from = Date.now();
  const lent = ['/etc/hosts:/etc/hosts:ro', ...volumes].flatMap((volume) => ['--volume', volume]);
  const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--layers', ...lent];
  await buildah('bud', ...how, '--file', path.join(ROOT, file), '--tag', tag, ROOT);
  const size = await buildah('images', '--format', '{{.Size}}', tag);
  say(`${tag} is built: ${size.trim()}, in ${((Date.now() - from) / 1000).toFixed(0)} s`);
}

async function goVolumes(): Promise<string[]> {
  const [modules, cache] = (await run('go', ['env', 'GOMODCACHE', 'GOCACHE'], { env: testEnv })).split('\n');
  return [`${modules}:/go/pkg/mod`, `${cache}:/root/.cache/go-build`];
}

await ensureBaseImages();
await build('Dockerfile.api', API_IMAGE, []);
await build('Dockerfile.worker', WORKER_IMAGE, await goVolumes());
await ensureServiceImages();
