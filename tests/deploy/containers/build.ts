/**
 * Builds both images from the unchanged Dockerfiles without a container engine: `npm run
 * containers`, for another platform `npm run containers -- --platform linux/arm64`. Mounts this
 * machine's Go build and module caches, because building the scanner takes minutes otherwise. Then
 * inspects every program in the images and starts those that aren't ours.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { go } from '@portcullis/testing';
import { buildArguments } from '../../../scripts/release/build-arguments.ts';
import { ensureBaseImages, ensureForeignImages, ensureServiceImages } from './base-images.ts';
import { emulated } from './emulation.ts';
import {
  API_IMAGE,
  buildah,
  GO_IMAGE,
  NODE_IMAGE,
  REGISTRY_IMAGE,
  WORKER_IMAGE,
} from './engine.ts';
import { inspect } from './inspect.ts';
import { IS_FOREIGN, TARGET } from './platform.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const say = (text: string) => process.stderr.write(`[portcullis] ${text}\n`);

interface Build {
  file: string;
  tag: string;
  lent: string[];
}

async function build({ file, tag, lent }: Build): Promise<void> {
  const from = Date.now();
  const hosts = ['--volume', '/etc/hosts:/etc/hosts:ro'];
  const how = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--layers',
    ...hosts,
    ...lent,
  ];
  await buildah('bud', ...how, '--file', path.join(ROOT, file), '--tag', tag, ROOT);
  say(`${tag} is built in ${((Date.now() - from) / 1000).toFixed(0)} s`);
}

const asArguments = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);

async function goVolumes(): Promise<string[]> {
  const [modules, cache] = (await go(['env', 'GOMODCACHE', 'GOCACHE'], { cwd: ROOT })).split('\n');
  // A downloaded Go has neither cache yet.
  for (const dir of [modules, cache]) await mkdir(dir ?? '', { recursive: true });
  return ['--volume', `${modules}:/go/pkg/mod`, '--volume', `${cache}:/root/.cache/go-build`];
}

async function look(): Promise<void> {
  await using _ = IS_FOREIGN ? await emulated(TARGET) : null;
  say(`${API_IMAGE}: ${await inspect(API_IMAGE, ['node'])}`);
  say(`${WORKER_IMAGE}: ${await inspect(WORKER_IMAGE, ['node', 'trivy', 'registry', 'pcs'])}`);
}

await ensureBaseImages();
const bases = IS_FOREIGN
  ? await ensureForeignImages(TARGET)
  : asArguments({ NODE_IMAGE, REGISTRY_IMAGE });
const platform = [...bases, ...asArguments({ GO_IMAGE, ...(await buildArguments()) })];
await build({ file: 'Dockerfile.api', tag: API_IMAGE, lent: platform });
await build({
  file: 'Dockerfile.worker',
  tag: WORKER_IMAGE,
  lent: [...platform, ...(await goVolumes())],
});
await look();
await ensureServiceImages();
