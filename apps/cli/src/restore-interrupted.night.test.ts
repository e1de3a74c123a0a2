/** A restore over an installation in use, killed at several moments. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { assertSchema, unfinishedRestore } from '@portcullis/store';
import {
  buildImage,
  createDatabase,
  openSql,
  pushImage,
  startRedis,
  startRegistry,
  type TemporaryDir,
  type TestDatabase,
  type TestRegistry,
  type TestServer,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCli } from './cli.fixture.ts';

let redis: TestServer;
let registry: TestRegistry;
let source: TestDatabase;
let here: TemporaryDir;
let backup: string;

let target: TestDatabase;
let there: TemporaryDir;
let env: Record<string, string>;

beforeAll(async () => {
  [redis, registry, source, here] = await Promise.all([
    startRedis(),
    startRegistry(),
    createDatabase(),
    temporaryDir(),
  ]);
  const sourceEnv = {
    DATABASE_URL: source.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    REGISTRY_STORAGE: registry.storageDir,
    DATA_DIR: here.path,
  };
  await runCli(['create-admin', 'root'], { env: sourceEnv, input: 'a long password\n' });
  await pushImage(registry.url, 'team/app', '1', await buildImage({ layers: [{ name: 'base' }] }));
  backup = path.join(here.path, 'made.tar');
  expect(await runCli(['backup', backup], { env: sourceEnv })).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await Promise.all([redis.stop(), registry.stop(), source.stop(), here.remove()]);
});

beforeEach(async () => {
  [target, there] = await Promise.all([createDatabase(), temporaryDir()]);
  env = {
    DATABASE_URL: target.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    REGISTRY_STORAGE: path.join(there.path, 'images'),
    DATA_DIR: there.path,
  };
  await runCli(['create-admin', 'old'], { env, input: 'a long password\n' });
  await mkdir(path.join(there.path, 'images/docker'), { recursive: true });
  await writeFile(path.join(there.path, 'images/docker/old'), 'old');
});

afterEach(async () => {
  await Promise.all([target.stop(), there.remove()]);
});

const restored = (options: string[] = [], killAfter?: Promise<unknown>) =>
  runCli(['restore', backup, ...options], { env, ...(killAfter ? { killAfter } : {}) });

async function accounts(): Promise<string[]> {
  const sql = await openSql(target.url);
  try {
    const { rows } = await sql.query<{ username: string }>('SELECT username FROM users');
    return rows.map(({ username }) => username);
  } finally {
    await sql.end();
  }
}

const images = () => readdir(path.join(there.path, 'images/docker'));

async function expectRestored(): Promise<void> {
  expect([await accounts(), await images()]).toEqual([['root'], ['registry']]);
  expect(await unfinishedRestore(target.url)).toBeNull();
  await assertSchema(target.url);
}

it('killed while it loads: nothing is replaced, and Portcullis starts', async () => {
  const sql = await openSql(target.url);
  await sql.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE');
  const waiting = expect.poll(async () => {
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass`,
    );
    return rows[0]?.count;
  });
  const ran = await restored(['--force'], waiting.toBe(1));
  await sql.query('COMMIT');
  await sql.end();
  expect(ran.code).toBeNull();
  await assertSchema(target.url);
  expect([await accounts(), await images()]).toEqual([['old'], ['old']]);
  expect(await restored(['--force'])).toMatchObject({ code: 0, err: '' });
  await expectRestored();
});

/** The restore waits where it reads the key, until the FIFO is written to. */
async function withKeyInFifo(work: (key: string, fifo: string) => Promise<void>): Promise<void> {
  const fifo = path.join(there.path, 'secret.key');
  const key = await readFile(fifo, 'utf8');
  await rm(fifo);
  await promisify(execFile)('mkfifo', [fifo]);
  await work(key, fifo);
  await rm(fifo);
  await writeFile(fifo, key);
}

const imagesReplaced = () => expect.poll(images).toEqual(['registry']);

it.each([
  ['when it has replaced the images', 'old', imagesReplaced],
  [
    'when it has replaced the database',
    'root',
    async (key: string, fifo: string) => {
      await imagesReplaced();
      await writeFile(fifo, key);
      await expect.poll(accounts).toEqual(['root']);
    },
  ],
])('killed %s: Portcullis does not start until it is run again', async (_, account, reach) => {
  await withKeyInFifo(async (key, fifo) => {
    const ran = await restored(['--force'], reach(key, fifo));
    expect(ran.code).toBeNull();
  });
  await expect(assertSchema(target.url)).rejects.toMatchObject({ code: 'RESTORE_UNFINISHED' });
  expect([await accounts(), await images()]).toEqual([[account], ['registry']]);
  for (const words of [['migrate'], ['backup', path.join(there.path, 'half.tar')], ['doctor']]) {
    const ran = await runCli(words, { env });
    expect(ran.code, words[0]).toBe(1);
    expect(ran.out + ran.err).toContain('portcullis restore <file>');
  }
  expect(await restored()).toMatchObject({ code: 0, err: '' });
  await expectRestored();
});
