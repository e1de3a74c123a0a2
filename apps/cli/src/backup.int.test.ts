import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { createPasswords } from '@portcullis/passwords';
import { loadSecretKey, sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  buildImage,
  createDatabase,
  pushImage,
  randomFiles,
  skopeo,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestRegistry,
  type TestServer,
  temporaryDir,
  writeLayout,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { callCli } from './call.fixture.ts';
import { runCli } from './cli.fixture.ts';

const SIGNING_KEY = { id: 'sha256:k', publicKey: 'public', privateKey: 'of statements' };
const PHRASE = 'correct horse battery\n';
const image = await buildImage({ layers: [{ 'etc/name': 'base' }, randomFiles(200_000)] });

let redis: TestServer;
let registry: TestRegistry;
let source: TestDatabase;
let here: TemporaryDir;
let hereEnv: Record<string, string>;

let target: TestDatabase;
let there: TemporaryDir;
let thereEnv: Record<string, string>;
const stores: Store[] = [];

const UNFINISHED = [
  'docker/registry/v2/repositories/team/app/_uploads/half-done',
  'portcullis-uploads',
  'portcullis-drafts',
];

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

async function storeOf(database: TestDatabase, dir: TemporaryDir): Promise<Store> {
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

async function made(...options: string[]): Promise<string> {
  const file = path.join(here.path, 'made.tar');
  const ran = await callCli(['backup', file, ...options], { env: hereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 0, err: expect.not.stringContaining('Error') });
  return file;
}

/** Pulled with an independent client from a registry on the restored storage. */
async function pulled(storageDir: string): Promise<string> {
  await using restored = await startRegistry({ storageDir });
  const into = `dir:${path.join(there.path, 'pulled')}`;
  const digest = path.join(there.path, 'digest');
  const from = `docker://${restored.host}/team/app:1`;
  await skopeo(
    'copy',
    '--insecure-policy',
    '--src-tls-verify=false',
    '--preserve-digests',
    '--digestfile',
    digest,
    from,
    into,
  );
  return readFile(digest, 'utf8');
}

it('a backup restored on another machine keeps digests, passwords and readable secrets', async () => {
  const file = await made('--with-key');
  const ran = await runCli(['restore', file], { env: thereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 0, err: '' });

  const store = await storeOf(target, there);
  const root = await store.users.findByUsername('root');
  const passwords = createPasswords();
  expect(await passwords.verify('a long password', root?.passwordHash ?? null)).toBe(true);
  await passwords.close();
  const [hub] = await store.registries.list();
  expect(await store.registries.credentials(hub?.id ?? '')).toEqual({
    username: 'u',
    password: 'of the hub',
  });
  expect(await store.signingKeys.current()).toEqual(SIGNING_KEY);
  expect(await store.settings.find('policy')).toEqual({ note: 'a\nb\u2028c "d" \\ é' });
  const [referrer] = await store.referrers.list({
    repository: 'team/app',
    subject: `sha256:${'2'.repeat(64)}`,
    limit: 9,
  });
  expect(referrer?.annotations).toEqual({ odd: 'nul \u0000 here' });
  const images = thereEnv.REGISTRY_STORAGE ?? '';
  expect(await pulled(images)).toBe(image.digest);
  expect(UNFINISHED.filter((place) => existsSync(path.join(images, place)))).toEqual([]);
});

it('audit events that no notifier has archived yet are in a backup, and its restore archives them', async () => {
  const file = await made('--without-images');
  expect(await callCli(['restore', file], { env: thereEnv })).toMatchObject({ code: 0, err: '' });
  const { items } = await (await storeOf(target, there)).audit.list({});
  expect(items).toContainEqual(
    expect.objectContaining({
      event: 'user.create',
      resource: expect.objectContaining({ name: 'root' }),
    }),
  );
});

it('a backup without Redis reports which events it lacks', async () => {
  const file = path.join(here.path, 'made.tar');
  const away = { ...hereEnv, REDIS_URL: 'redis://127.0.0.1:1' };
  const ran = await callCli(['backup', file, '--without-images'], { env: away });
  expect(ran).toMatchObject({
    code: 0,
    out: expect.stringContaining('audit events that were not archived yet'),
  });
});

it('--staged includes staged images with each blob once, and the restore creates hard links again', async () => {
  const layouts = ['job-1', 'job-2'].map((job) => path.join('cache', 'staging', job));
  for (const layout of layouts) await writeLayout(path.join(here.path, layout), image);
  const without = await stat(await made('--without-images'));
  const file = await made('--without-images', '--with-staging');
  const size = image.blobs.reduce((sum, { descriptor }) => sum + descriptor.size, 0);
  expect((await stat(file)).size - without.size).toBeLessThan(1.5 * size);
  expect(await callCli(['restore', file], { env: thereEnv })).toMatchObject({ code: 0, err: '' });
  for (const { descriptor } of image.blobs) {
    const blob = descriptor.digest.replace(':', '/');
    const files = [
      path.join('cache', 'blobs', blob),
      ...layouts.map((each) => path.join(each, 'blobs', blob)),
    ];
    const found = await Promise.all(files.map((place) => stat(path.join(there.path, place))));
    expect(new Set(found.map(({ ino }) => ino)).size, blob).toBe(1);
  }
  expect(await readFile(path.join(there.path, 'cache/staging/job-2/index.json'), 'utf8')).toContain(
    image.digest,
  );
});

it('a target that is in use is refused, and replaced with --force', async () => {
  const file = await made('--without-images');
  await callCli(['create-admin', 'other'], { env: thereEnv, input: 'a long password\n' });
  const refused = await callCli(['restore', file], { env: thereEnv });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('NOT_EMPTY') });
  const forced = await callCli(['restore', file, '--force', '--json'], { env: thereEnv });
  expect(forced.code).toBe(0);
  const names = (await (await storeOf(target, there)).users.list()).items.map(
    ({ username }) => username,
  );
  expect(names).toEqual(['root']);
  // The key was not in it, and the local one does not match.
  expect(JSON.parse(forced.out).advice).toEqual([
    expect.stringContaining('2 stored secret(s) are sealed'),
  ]);
});

it.each([
  ['cut short', (file: string) => truncate(file, 20_000)],
  ['altered', (file: string) => alter(file)],
  ['no backup at all', (file: string) => writeFile(file, 'hello'.repeat(1000))],
])('a backup that is %s replaces nothing', async (_, spoil) => {
  const file = await made();
  await spoil(file);
  const ran = await callCli(['restore', file], { env: thereEnv });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('BACKUP_DAMAGED') });
  expect((await (await storeOf(target, there)).users.list()).total).toBe(0);
  const left = await readdir(there.path, { recursive: true });
  expect(left.filter((name) => name !== 'secret.key' && name !== 'images')).toEqual([]);
});

it.each([
  [
    'a file that everybody may read',
    async (draft: string, old: string) => {
      await writeFile(draft, 'old');
      await writeFile(old, 'old');
      await chmod(draft, 0o666);
    },
  ],
  [
    'a link to another file',
    async (draft: string, old: string) => {
      await writeFile(old, 'old', { mode: 0o666 });
      await symlink(old, draft);
    },
  ],
])('a backup in whose place there is already %s is a new file for one account', async (_, put) => {
  const [file, old] = [path.join(here.path, 'taken.tar'), path.join(here.path, 'old')];
  await put(`${file}.part`, old);
  const ran = await runCli(['backup', file, '--without-images'], { env: hereEnv });
  expect(ran).toMatchObject({ code: 0, err: '' });
  const found = await lstat(file);
  expect(found.isFile()).toBe(true);
  expect(found.mode & 0o777).toBe(0o600);
  expect(await readFile(old, 'utf8')).toBe('old');
});

it('a backup of an image that lacks a part is written, and ends with status 1', async () => {
  const storage = path.join(there.path, 'lacking');
  await cp(registry.storageDir, storage, { recursive: true });
  const hex = image.blobs[0]?.descriptor.digest.slice('sha256:'.length) ?? '';
  await rm(path.join(storage, 'docker/registry/v2/blobs/sha256', hex.slice(0, 2), hex, 'data'));
  const env = { ...hereEnv, REGISTRY_STORAGE: storage };
  const ran = await callCli(['backup', path.join(there.path, 'made.tar')], { env });
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('1 manifest(s) lack a part') });
});

it('O9: a backup into a missing directory is refused in one sentence', async () => {
  const file = path.join(here.path, 'missing/made.tar');
  const ran = await callCli(['backup', file], { env: hereEnv, input: PHRASE });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('FOLDER_MISSING') });
  expect(ran.err).not.toMatch(/^\s+at /m);
});

it('a wrong pass phrase replaces nothing', async () => {
  const file = await made('--with-key');
  const ran = await callCli(['restore', file], { env: thereEnv, input: 'not the pass phrase\n' });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('PASS_PHRASE_WRONG') });
});

/** Changes one byte in the middle of a layer or a row. */
async function alter(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf('"root"');
  bytes.write('"toor"', at);
  await writeFile(file, bytes);
}
