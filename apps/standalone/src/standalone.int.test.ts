/** The supervisor with real services and small programs in place of ours. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@portcullis/embedded';
import { identityOf, isAlive } from '@portcullis/runtime';
import { eventually, json, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const API = `
import { writeFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
const { PORT, FIRST_ADMIN_FILE, DATA_DIR } = process.env;
if (!existsSync(DATA_DIR + '/made')) { writeFileSync(DATA_DIR + '/made', ''); writeFileSync(FIRST_ADMIN_FILE, 'pass-of-the-test\\n'); }
createServer((request, response) => response.end(JSON.stringify({ pid: process.pid, env: process.env, argv: process.argv }))).listen(PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;
const IDLE = `
import { spawn } from 'node:child_process';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
console.log(JSON.stringify({ level: 'warn', msg: 'grandchild ' + child.pid }));
process.on('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1000);
`;
const DRIVER = `
import { migrate } from '${import.meta.resolve('@portcullis/store')}';
import { readConfig } from '${import.meta.resolve('./config.ts')}';
import { listenForStop } from '${import.meta.resolve('./signals.ts')}';
import { Standalone } from '${import.meta.resolve('./standalone.ts')}';
const programs = ['api', 'worker', 'notifier'].map((name) => ({ name, role: name, args: [import.meta.dirname + '/' + (name === 'api' ? 'api' : 'idle') + '.mjs'] }));
const scanner = { acquire: async () => ({ path: '/opt/trivy', version: '1' }), write: async (state) => console.log('scanner ' + state.state), lacks: async () => null };
const standalone = new Standalone({ config: readConfig(process.env), programs, migrate, scanner, print: (text) => console.log(text) });
listenForStop(process, { onStop: () => standalone.stop().then(() => process.exit(0)), onForce: () => process.exit(9) });
await standalone.start().catch((error) => { console.log(error.message); process.exit(1); });
`;

interface Run {
  child: ChildProcess;
  port: number;
  output: () => string;
  ended: Promise<number | null>;
}

let place: TemporaryDir;
const runs: Run[] = [];

beforeEach(async () => {
  place = await temporaryDir();
  await mkdir(join(place.path, 'code'));
  const files = { 'api.mjs': API, 'idle.mjs': IDLE, 'driver.mts': DRIVER };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(place.path, 'code', name), text);
});

afterEach(async () => {
  for (const { child, ended } of runs.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  await place.remove();
});

async function startRun(data: string): Promise<Run> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(place.path, data),
    ADMIN_PASSWORD: 's3cret-of-the-operator',
  };
  const child = spawn(process.execPath, [join(place.path, 'code', 'driver.mts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const run = {
    child,
    port,
    output: () => output,
    ended: once(child, 'exit').then(([code]) => code),
  };
  runs.push(run);
  return run;
}

async function startReady(data = 'data'): Promise<Run> {
  const run = await startRun(data);
  await until(
    () => run.output().includes('is ready'),
    () => run.output(),
  );
  return run;
}

async function until(
  check: () => boolean | Promise<boolean>,
  why: () => string = () => '',
): Promise<void> {
  await eventually(check, Boolean, { describe: why });
}

async function askApi(
  run: Run,
): Promise<{ pid: number; env: Record<string, string>; argv: string[] } | null> {
  return fetch(`http://127.0.0.1:${run.port}/`, { headers: { connection: 'close' } }).then(
    json,
    () => null,
  );
}

async function recorded(data = 'data'): Promise<Map<string, string>> {
  const dir = join(place.path, data, 'run');
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith('.json'));
  const records = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(dir, file), 'utf8'))),
  );
  return new Map(records.map(({ name, identity }) => [name, identity]));
}

/** Of the two idle programs, which may begin after the api is ready. */
async function grandchildrenOf(run: Run): Promise<number[]> {
  const named = () =>
    [...run.output().matchAll(/grandchild (\d+)(?=\D)/g)].map(([, pid]) => Number(pid));
  await until(() => named().length === 2, run.output);
  return named();
}

it('two instances run side by side, and a repeated Ctrl-C ends one with everything it started', async () => {
  const [first, second] = await Promise.all([startReady(), startReady('other')]);
  const all = [...(await recorded()).values()];
  expect(all).toHaveLength(6);
  const [grandchild = 0] = await grandchildrenOf(first);
  first.child.kill('SIGINT');
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(all.filter(isAlive)).toEqual([]);
  await until(() => identityOf(grandchild) === null);
  expect(await recorded()).toEqual(new Map());
  expect((await askApi(second))?.pid).toBeGreaterThan(0);
});

it('the first password is shown once, and no secret is an argument or is passed to a program that does not need it', async () => {
  const first = await startReady();
  expect(first.output()).toContain('pass-of-the-test');
  const api = await askApi(first);
  expect(api?.argv).toHaveLength(2);
  expect(api?.env).toMatchObject({
    ADMIN_PASSWORD: 's3cret-of-the-operator',
    REDIS_URL: expect.stringMatching(/^redis:\/\/:.+@%2F.+redis.sock\/0$/),
  });
  const worker = (await recorded()).get('worker')?.split(' ')[0];
  expect(await readFile(`/proc/${worker}/environ`, 'utf8')).not.toContain('s3cret-of-the-operator');
  first.child.kill('SIGTERM');
  await first.ended;
  const again = await startReady();
  expect(again.output()).not.toMatch(/password/i);
});

it('a program and a service that die are restarted at the same address', async () => {
  const run = await startReady();
  const before = await recorded();
  const pid = (await askApi(run))?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  process.kill(Number.parseInt(before.get('redis') ?? '', 10), 'SIGKILL');
  process.kill(Number.parseInt(before.get('postgres') ?? '', 10), 'SIGKILL');
  await until(async () => ((await askApi(run))?.pid ?? pid) !== pid, run.output);
  await until(async () => {
    const now = await recorded();
    return ['redis', 'postgres'].every((name) => now.get(name) !== before.get(name));
  }, run.output);
  await until(() => run.output().includes('redis ended by itself (signal SIGKILL)'), run.output);
});

it('where the path of DATA_DIR is too long for a socket, sockets are in a new temporary directory at each start', async () => {
  const data = 'long'.repeat(25);
  await chmod(place.path, 0o755);
  const link = join(place.path, data, 'sockets');
  const first = await startReady(data);
  const folder = await readlink(link);
  expect((await readdir(folder)).sort()).toEqual(['postgres', 'redis.sock', 'registry.sock']);
  // PostgreSQL's group may pass through where root starts it.
  expect((await stat(folder)).mode & 0o767).toBe(0o700);
  expect((await askApi(first))?.env.DATABASE_URL).toContain(
    encodeURIComponent(join(folder, 'postgres')),
  );
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await startReady(data);
  expect(await readlink(link)).not.toBe(folder);
  const paths = [folder, await readlink(link)];
  second.child.kill('SIGTERM');
  await second.ended;
  for (const each of [...paths, link])
    await expect(stat(each)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('what a killed supervisor started ends by itself, and the next one starts', async () => {
  const first = await startReady();
  const left = [...(await recorded()).values()];
  const grandchildren = await grandchildrenOf(first);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(left.length).toBe(6);
  await until(() => left.filter(isAlive).length === 0);
  await startReady();
  await until(() => grandchildren.every((pid) => identityOf(pid) === null));
});

it('a second instance on the same data reports that and does not disturb the first', async () => {
  const first = await startReady();
  const second = await startRun('data');
  expect(await second.ended).toBe(1);
  const reported = `another Portcullis (process ${first.child.pid}) runs on`;
  await until(() => second.output().includes(reported), second.output);
  expect((await recorded()).size).toBe(6);
  expect((await askApi(first))?.pid).toBeGreaterThan(0);
});
