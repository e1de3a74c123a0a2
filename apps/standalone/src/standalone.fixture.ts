/** What standalone.int and standalone.night start, and how they look at it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@portcullis/embedded';
import { eventually, json, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import { afterEach, beforeEach } from 'vitest';

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

export let place: TemporaryDir;

const runs: Run[] = [];

export async function startRun(data: string): Promise<Run> {
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

export async function startReady(data = 'data'): Promise<Run> {
  const run = await startRun(data);
  await until(
    () => run.output().includes('is ready'),
    () => run.output(),
  );
  return run;
}

export async function until(
  check: () => boolean | Promise<boolean>,
  why: () => string = () => '',
): Promise<void> {
  await eventually(check, Boolean, { describe: why });
}

export async function askApi(
  run: Run,
): Promise<{ pid: number; env: Record<string, string>; argv: string[] } | null> {
  return fetch(`http://127.0.0.1:${run.port}/`, { headers: { connection: 'close' } }).then(
    json,
    () => null,
  );
}

export async function recorded(data = 'data'): Promise<Map<string, string>> {
  const dir = join(place.path, data, 'run');
  const files = (await readdir(dir).catch(() => [])).filter((file) => file.endsWith('.json'));
  const records = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(dir, file), 'utf8'))),
  );
  return new Map(records.map(({ name, identity }) => [name, identity]));
}

/** Of the two idle programs, which may begin after the api is ready. */
export async function grandchildrenOf(run: Run): Promise<number[]> {
  const named = () =>
    [...run.output().matchAll(/grandchild (\d+)(?=\D)/g)].map(([, pid]) => Number(pid));
  await until(() => named().length === 2, run.output);
  return named();
}

export function startStandalone(): void {
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
}
