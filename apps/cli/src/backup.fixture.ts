/** What backup.int and backup.night start, and how they look at it. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadSecretKey, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  buildImage,
  createDatabase,
  pushImage,
  randomFiles,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestRegistry,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { callCli } from './call.fixture.ts';

export const SIGNING_KEY = { id: 'sha256:k', publicKey: 'public', privateKey: 'of statements' };

export const PHRASE = 'correct horse battery\n';

export const image = await buildImage({ layers: [{ 'etc/name': 'base' }, randomFiles(200_000)] });

let redis: TestServer;

export let registry: TestRegistry;

let source: TestDatabase;

export let here: TemporaryDir;

export let hereEnv: Record<string, string>;

export let target: TestDatabase;

export let there: TemporaryDir;

export let thereEnv: Record<string, string>;

const stores: Store[] = [];

export const UNFINISHED = [
  'docker/registry/v2/repositories/team/app/_uploads/half-done',
  'portcullis-uploads',
  'portcullis-drafts',
];

export async function storeOf(database: TestDatabase, dir: TemporaryDir): Promise<Store> {
  const store = openStore(database.url, sealer(await loadSecretKey({ dataDir: dir.path })));
  stores.push(store);
  return store;
}

/**
 * Values that are easily corrupted: big numbers, JSON that jsonb refuses, all kinds of line ends.
 */
async function fill(store: Store): Promise<void> {
  await store.registries.insert({ name: 'hub', host: 'h', username: 'u', password: 'of the hub' });
  await store.settings.set('policy', { note: 'a\nb\u2028c "d" \\ é' });
  await store.signingKeys.insertFirst(SIGNING_KEY);
  await store.referrers.record({
    repository: 'team/app',
    digest: `sha256:${'1'.repeat(64)}`,
    subject: `sha256:${'2'.repeat(64)}`,
    mediaType: 'm',
    artifactType: null,
    size: 7,
    annotations: { odd: 'nul \u0000 here' },
  });
}

export async function made(...options: string[]): Promise<string> {
  const file = path.join(here.path, 'made.tar');
  const ran = await callCli(['backup', file, ...options], { env: hereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
  return file;
}

export function startInstallation(): void {
  beforeAll(async () => {
    [redis, registry, source, here] = await Promise.all([
      startRedis(),
      startRegistry(),
      createDatabase(),
      temporaryDir(),
    ]);
    hereEnv = {
      DATABASE_URL: source.url,
      REDIS_URL: redis.url,
      REGISTRY_URL: registry.url,
      REGISTRY_STORAGE: registry.storageDir,
      DATA_DIR: here.path,
    };
    await callCli(['create-admin', 'root'], { env: hereEnv, input: 'a long password\n' });
    await pushImage(registry.url, 'team/app', '1', image);
    for (const place of UNFINISHED) {
      await mkdir(path.join(registry.storageDir, place), { recursive: true });
      await writeFile(path.join(registry.storageDir, place, 'data'), 'half of a blob');
    }
    await fill(await storeOf(source, here));
  });
  afterAll(async () => {
    await Promise.all([redis.stop(), registry.stop(), source.stop(), here.remove()]);
  });
  beforeEach(async () => {
    [target, there] = await Promise.all([createDatabase(), temporaryDir()]);
    thereEnv = {
      DATABASE_URL: target.url,
      REDIS_URL: redis.url,
      REGISTRY_URL: registry.url,
      REGISTRY_STORAGE: path.join(there.path, 'images'),
      DATA_DIR: there.path,
    };
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all([target.stop(), there.remove()]);
  });
}
