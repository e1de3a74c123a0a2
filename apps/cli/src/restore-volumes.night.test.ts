/** `migrate` and `restore` in containers: volumes are mount points under a read-only root. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { heartbeat, openRedis } from '@portcullis/runtime';
import { hasAccounts } from '@portcullis/store';
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
  unshared,
} from '@portcullis/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCli } from './cli.fixture.ts';

const image = await buildImage({ layers: [{ 'etc/name': 'base' }] });
const BLOBS = 'docker/registry/v2/blobs';

let redis: TestServer;
let registry: TestRegistry;
let source: TestDatabase;
let here: TemporaryDir;
let backup: string;

let target: TestDatabase;
let there: TemporaryDir;

beforeAll(async () => {
  [redis, registry, source, here] = await Promise.all([
    startRedis(),
    startRegistry(),
    createDatabase(),
    temporaryDir(),
  ]);
  const env = {
    DATABASE_URL: source.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    REGISTRY_STORAGE: registry.storageDir,
    DATA_DIR: here.path,
  };
  await runCli(['create-admin', 'root'], { env, input: 'a long password\n' });
  await pushImage(registry.url, 'team/app', '1', image);
  backup = path.join(here.path, 'made.tar');
  expect(await runCli(['backup', backup], { env })).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await Promise.all([redis.stop(), registry.stop(), source.stop(), here.remove()]);
});

beforeEach(async () => {
  [target, there] = await Promise.all([createDatabase(), temporaryDir()]);
  for (const name of ['root', 'volumes/data', 'volumes/registry'])
    await mkdir(path.join(there.path, name), { recursive: true });
});

afterEach(async () => {
  await Promise.all([target.stop(), there.remove()]);
});

const MOUNTS = `set -e
mount -t tmpfs none "$1/root"
mkdir "$1/root/data" "$1/root/registry"
mount --bind "$1/volumes/data" "$1/root/data"
mount --bind "$1/volumes/registry" "$1/root/registry"
mount -o remount,bind,ro "$1/root"
shift
exec "$@"`;

/**
 * In a mount namespace that ends with it; an unprivileged account needs a user namespace for that.
 */
function mounted(): string[] {
  return [...unshared('--mount'), 'sh', '-c', MOUNTS, 'sh', there.path];
}

function envThere(): Record<string, string> {
  return {
    DATABASE_URL: target.url,
    REDIS_URL: redis.url,
    REGISTRY_URL: registry.url,
    REGISTRY_STORAGE: path.join(there.path, 'root/registry'),
    DATA_DIR: path.join(there.path, 'root/data'),
  };
}

function restored(...options: string[]) {
  return runCli(['restore', backup, ...options], { env: envThere(), within: mounted() });
}

function inStorage(below: string): string {
  return path.join(there.path, 'volumes/registry', below);
}

it('a migration needs only the database (O1), and is in the audit log (O21)', async () => {
  const sql = await openSql(target.url);
  await sql.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const env = { DATABASE_URL: target.url, DATA_DIR: path.join(there.path, 'root/nowhere') };
  const ran = await runCli(['migrate'], { env, within: mounted() });
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toMatch(/^applied /);
  const { rows } = await sql.query("SELECT body->>'event' AS event FROM audit_outbox");
  await sql.end();
  expect(rows).toEqual([{ event: 'system.migrate' }]);
});

it('a restore works on mount points under a read-only root (O2)', async () => {
  expect(await restored()).toMatchObject({ code: 0, err: '' });
  expect(await hasAccounts(target.url)).toBe(true);
  expect(await readdir(inStorage(''))).toEqual(['docker']);
  const [algorithm, hex = ''] = image.digest.split(':');
  const blob = path.join(BLOBS, algorithm ?? '', hex.slice(0, 2), hex, 'data');
  expect(await readFile(inStorage(blob))).toEqual(Buffer.from(image.bytes));
});

it('existing images stay until the whole backup was read, and are replaced only with --force', async () => {
  await mkdir(inStorage('docker'));
  await writeFile(inStorage('docker/old'), 'old');
  expect(await restored()).toMatchObject({ code: 1, err: expect.stringContaining('NOT_EMPTY') });
  expect(await readdir(inStorage(''))).toEqual(['docker']);
  expect(await readFile(inStorage('docker/old'), 'utf8')).toBe('old');
  expect(await restored('--force')).toMatchObject({ code: 0, err: '' });
  expect(await readdir(inStorage('docker'))).toEqual(['registry']);
});

it('a process that starts while the backup is read ends the restore, and nothing is replaced', async () => {
  await mkdir(inStorage('docker'));
  const connection = openRedis(redis.url, { mode: 'patient' });
  const beat = heartbeat(connection, { name: 'worker', instance: 'w1', version: '1' });
  async function* slowly() {
    const bytes = await readFile(backup);
    yield bytes.subarray(0, bytes.length / 2);
    await expect.poll(() => readdir(inStorage(''))).toHaveLength(2);
    await connection.ping();
    await beat.start?.();
    yield bytes.subarray(bytes.length / 2);
  }
  const ran = await runCli(['restore', '-', '--force'], {
    env: envThere(),
    within: mounted(),
    input: slowly(),
  });
  await beat.stop?.();
  connection.disconnect();
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('PROCESSES_RUNNING') });
  expect(await readdir(inStorage(''))).toEqual(['docker']);
});

it('a restore whose database can not be reached replaces nothing', async () => {
  await mkdir(inStorage('docker'));
  const env = { ...envThere(), DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' };
  const ran = await runCli(['restore', backup, '--force'], { env, within: mounted() });
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('DATABASE_UNAVAILABLE') });
  expect(await readdir(inStorage(''))).toEqual(['docker']);
  expect(await readdir(inStorage('docker'))).toEqual([]);
});
