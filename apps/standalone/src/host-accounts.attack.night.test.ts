/** Attacks by another account of the host: it gets nothing, by file or by port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  writeFile,
} from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  findSockets,
  freePort,
  type SERVICE_NAMES,
  socketPaths,
  standalonePaths,
} from '@portcullis/embedded';
import { pidOf } from '@portcullis/runtime';
import {
  eventually,
  fetchManifest,
  json,
  listeningOf,
  pushImage,
  randomImage,
  type TemporaryDir,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAs } from './other-account.fixture.ts';

const PASSWORD = 'a long enough password';
const NOBODY = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;

let place: TemporaryDir;
let dataDir: string;
let path: string;
/** Node binary for the other account. */
let node: string;
let product: Running | null = null;

interface Running {
  child: ChildProcess;
  url: string;
  output: () => string;
}

beforeAll(async () => {
  place = await temporaryDir();
  await chmod(place.path, 0o755);
  dataDir = join(place.path, 'data');
  node = join(place.path, 'node');
  await copyFile(process.execPath, node);
  await chmod(node, 0o755);
  path = `${await withoutPostgresAccount(join(place.path, 'bin'))}:${process.env.PATH}`;
});

afterAll(async () => {
  await stop();
  await place.remove();
});

/**
 * A machine without the account `postgres`: there PostgreSQL would run as `nobody`, the attacking
 * account.
 */
async function withoutPostgresAccount(bin: string): Promise<string> {
  await mkdir(bin);
  const real = (process.env.PATH ?? '').split(':').map((dir) => join(dir, 'id'));
  const found = await Promise.all(
    real.map(async (file) => ((await stat(file).catch(() => null)) ? file : '')),
  );
  const script = `#!/bin/sh\ncase "$2" in postgres) exit 1;; esac\nexec ${found.find(Boolean)} "$@"\n`;
  await writeFile(join(bin, 'id'), script, { mode: 0o755 });
  return bin;
}

/** Retries where another program took the port in between. */
async function start(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(await freePort());
    } catch (error) {
      if (attempt === 3 || !/:\d+ is in use/.test(String(error))) throw error;
    }
  }
}

async function startAt(port: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      ...process.env,
      PATH: path,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: PASSWORD,
      TRIVY_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  product = { child, url: `http://127.0.0.1:${port}`, output: () => output };
  await until(
    () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${output}`);
      return output.includes('is ready');
    },
    () => output,
  );
}

async function stop(): Promise<void> {
  const child = product?.child;
  product = null;
  if (child === undefined || child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

async function until(check: () => boolean | Promise<boolean>, why: () => string): Promise<void> {
  await eventually(check, Boolean, { describe: why });
}

const admin = { username: 'admin', password: PASSWORD };

/** An image in the registry, and a staged one in the cache. */
async function fill(): Promise<void> {
  const url = product?.url ?? '';
  const call = await loggedIn(url);
  expect((await call('POST', '/api/folders', { name: 'team' })).status).toBeLessThan(500);
  const image = await randomImage();
  await pushImage(url, 'team/app', 'v1', image, { credentials: admin });
  const order = { image: 'team/app', tag: 'v1', source_registry_id: '__local__' };
  const { job_id } = await json(call('POST', '/api/staging/pull', order));
  expect(job_id).toEqual(expect.any(String));
  let job: { status?: string } = {};
  await until(
    async () => {
      job = await json(call('GET', `/api/staging/jobs/${job_id}`));
      return job.status === 'staged';
    },
    () => JSON.stringify(job),
  );
}

async function loggedIn(url: string) {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(admin),
  });
  const { access_token } = await json(login);
  return (method: string, route: string, body?: unknown) =>
    fetch(`${url}${route}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${access_token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

interface StoredSecrets {
  postgresPassword: string;
  redisPassword: string;
  registryPassword: string;
}

async function storedSecrets(): Promise<StoredSecrets> {
  return JSON.parse(await readFile(join(dataDir, 'standalone.json'), 'utf8'));
}

/** The lines that `find` prints as another account of the machine. */
function findAs(account: typeof NOBODY, ...args: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    // It exits with 1 where access was denied, which is expected.
    execFile('find', args, { ...account, maxBuffer: 2 ** 26 }, (_, stdout) =>
      resolve(stdout.split('\n').filter(Boolean)),
    );
  });
}

/**
 * Every entry with a bit for the group or for others; only DATA_DIR itself may let PostgreSQL's
 * group pass.
 */
async function openEntries(): Promise<string[]> {
  const open: string[] = [];
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = join(entry.parentPath, entry.name);
    const found = await stat(file).catch(() => null);
    if (found && (found.mode & 0o077) !== 0)
      open.push(`${(found.mode & 0o777).toString(8)} ${file}`);
  }
  return open;
}

async function sockets(): Promise<{ [name in (typeof SERVICE_NAMES)[number]]: string }> {
  const paths = standalonePaths(dataDir);
  const cluster = await readlink(paths.postgres).catch(() => paths.postgres);
  return {
    postgres: join(cluster, '.s.PGSQL.5432'),
    ...socketPaths(await findSockets(paths.sockets)),
  };
}

/** A server's first answer to these bytes. */
function answer(path: string, bytes: Buffer | string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(bytes));
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data);
    });
    socket.once('close', () => resolve(Buffer.alloc(0)));
  });
}

/** PostgreSQL's startup message: length, protocol 3.0, parameters. */
function startup(user: string, database: string): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, 3, 0, 0]),
    Buffer.from(`user\0${user}\0database\0${database}\0\0`),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}

/** Checked as our account, which may enter the directories: the password is required there, too. */
async function isRefusedEverywhere(): Promise<void> {
  const at = await sockets();
  const manifest = await fetchManifest(product?.url ?? '', 'team/app', 'v1', {
    credentials: admin,
  });
  const type = { 'content-type': manifest.headers['content-type'] ?? '' };
  const guess = { authorization: `Basic ${btoa('portcullis:guess')}` };
  const ask = (method: string, path: string, headers = {}, body = '') =>
    statusOf(at.registry, { method, path, headers, body });
  const statuses = await Promise.all([
    ask('GET', '/v2/_catalog'),
    ask('GET', '/v2/team/app/manifests/v1'),
    ask('PUT', '/v2/team/app/manifests/v1', type, String(manifest.body)),
    ask('POST', '/v2/team/app/blobs/uploads/'),
    ask('GET', '/v2/_catalog', guess),
  ]);
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  expect(String(await answer(at.redis, 'KEYS *\r\n'))).toMatch(/^-NOAUTH/);
  const reply = await answer(at.postgres, startup('portcullis', 'portcullis'));
  // An authentication request other than "ok" (0): it wants SASL (10).
  expect([String.fromCharCode(reply[0] ?? 0), reply.readUInt32BE(5)]).toEqual(['R', 10]);
}

function statusOf(
  socketPath: string,
  { body, ...options }: { method: string; path: string; headers: object; body: string },
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, ...options, headers: { ...options.headers } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .once('error', reject)
      .end(body);
  });
}

async function isClosedByFile(): Promise<void> {
  expect(await openEntries()).toEqual([]);
  expect((await stat(dataDir)).mode & (isRoot ? 0o067 : 0o077)).toBe(0);
  const cluster = join(dataDir, 'postgres');
  const owner = await stat(await readlink(cluster).catch(() => cluster));
  expect(owner.uid).not.toBe(NOBODY.uid);
  if (!isRoot) return;
  const names = [
    'cache',
    'registry',
    'redis',
    'postgres',
    'sockets',
    'logs',
    'run',
    'standalone.json',
    'secret.key',
  ];
  const directories = [dataDir, ...names.map((name) => join(dataDir, name))];
  for (const each of directories) await stat(each);
  expect(await findAs(NOBODY, ...directories, '(', '-readable', '-o', '-writable', ')')).toEqual(
    [],
  );
  // Proves that `find` would have seen it: another directory of root is readable to it.
  expect(await findAs(NOBODY, place.path, '-maxdepth', '0', '-readable')).toEqual([place.path]);
}

describe('another account of the host', () => {
  beforeAll(async () => {
    await start();
    await fill();
  });

  it('G1: gets nothing from the registry, Redis or PostgreSQL, which all require a password', async () => {
    await isRefusedEverywhere();
  });

  it('G1: reads no password in an argument list or in a log', async () => {
    const { postgresPassword, redisPassword, registryPassword } = await storedSecrets();
    const secrets = [postgresPassword, redisPassword, registryPassword, PASSWORD];
    const texts = [product?.output() ?? ''];
    for (const name of await readdir(join(dataDir, 'logs')))
      texts.push(await readFile(join(dataDir, 'logs', name), 'utf8'));
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      texts.push(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''));
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(new Set(secrets).size).toBe(4);
  });

  it('G2: reads nothing below DATA_DIR, neither staged images nor the database', async () => {
    await isClosedByFile();
  });

  it('can connect to none of the services: they have no TCP port, and their sockets are in closed directories', async () => {
    const open: string[] = [];
    for (const [name, pid] of await processes())
      open.push(...(await listeningOf(pid)).map((place) => `${name} ${place}`));
    expect(open).toEqual([`api ${new URL(product?.url ?? '').host}`]);
    const paths = Object.values(await sockets());
    expect(
      (await Promise.all(paths.map((path) => stat(path)))).every((found) => found.isSocket()),
    ).toBe(true);
    if (!isRoot) return;
    const dial = `for (const path of process.argv.slice(1)) require('node:net').connect(path)
      .on('connect', () => console.log('connected')).on('error', ({ code }) => console.log(code))`;
    const { child, output } = startAs({ ...NOBODY, node }, dial, paths);
    await once(child, 'close');
    expect(output().trim().split('\n')).toEqual(paths.map(() => 'EACCES'));
  });

  it('G1, G2: an installation that others can read is closed at its next start, with its images', async () => {
    await stop();
    await openToEveryone();
    await start();
    await isRefusedEverywhere();
    await isClosedAtTheTop();
    const kept = await fetchManifest(product?.url ?? '', 'team/app', 'v1', { credentials: admin });
    expect(kept.status).toBe(200);
  });
});

async function processes(): Promise<[name: string, pid: number][]> {
  const dir = standalonePaths(dataDir).running;
  const files = (await readdir(dir)).filter((file) => file.endsWith('.json'));
  return Promise.all(
    files.map(async (file): Promise<[string, number]> => {
      const { name, identity } = JSON.parse(await readFile(join(dir, file), 'utf8'));
      return [name, pidOf(identity)];
    }),
  );
}

/** Modes of an ordinary umask, and a database that belongs to `nobody`. */
async function openToEveryone(): Promise<void> {
  const linked = await readlink(join(dataDir, 'postgres')).catch(() => null);
  const cluster = linked ?? join(dataDir, 'postgres');
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (file.startsWith(cluster) || entry.isSymbolicLink()) continue;
    if (!file.endsWith('secret.key')) await chmod(file, entry.isDirectory() ? 0o755 : 0o644);
  }
  await chmod(dataDir, 0o755);
  if (!isRoot) return;
  await chown(dataDir, 0, 0);
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), NOBODY.uid, NOBODY.gid);
  await chown(cluster, NOBODY.uid, NOBODY.gid);
}

/** Old files keep their modes behind directories that are closed. */
async function isClosedAtTheTop(): Promise<void> {
  for (const name of ['', ...(await readdir(dataDir))]) {
    const found = await stat(join(dataDir, name));
    expect(found.mode & (name === '' && isRoot ? 0o067 : 0o077), name).toBe(0);
    expect(found.uid, name).not.toBe(NOBODY.uid);
  }
  if (!isRoot) return;
  const beneath = await findAs(
    NOBODY,
    join(dataDir, 'cache'),
    join(dataDir, 'registry'),
    '-readable',
  );
  expect(beneath).toEqual([]);
}
