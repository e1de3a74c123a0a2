/** A run of the tests that fails, ends or is killed leaves no process, folder or port behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = path.resolve(import.meta.dirname, '../../scripts/run-folder.mjs');

/** A server in a separate process group, as the tests start products. */
const SERVER = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
    process.send(server.address().port);
    process.disconnect();
  });`;

/** A run that starts the server and then behaves as `end` says. */
const runThat = (end: string) => `
  import { spawn } from 'node:child_process';
  import { openRunFolder } from ${JSON.stringify(MODULE)};
  const folder = openRunFolder();
  const server = spawn(process.execPath, ['-e', ${JSON.stringify(SERVER)}], {
    env: { TMPDIR: folder.path }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], detached: true,
  });
  server.once('message', async (port) => {
    console.log(JSON.stringify({ path: folder.path, port, server: server.pid }));
    server.unref();
    ${end}
  });`;

interface Run {
  child: ChildProcess;
  path: string;
  port: number;
  server: number;
}

async function start(end: string): Promise<Run> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', runThat(end)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout }))
    return { child, ...JSON.parse(line) };
  throw new Error('the run told nothing');
}

/** A port is free once the process that listens on it has ended. */
async function expectNothingLeft({ path: folder, server }: Run): Promise<void> {
  const left = () => [folder, `/proc/${server}`].filter((each) => existsSync(each));
  await expect.poll(left).toEqual([]);
}

it.each([
  ['is killed', 'setInterval(() => {}, 1_000);', 'SIGKILL'],
  ['is interrupted', 'setInterval(() => {}, 1_000);', 'SIGINT'],
] as const)('nothing is left of a run that %s', async (_, end, signal) => {
  const run = await start(end);
  expect(run.port).toBeGreaterThan(0);
  run.child.kill(signal);
  await expectNothingLeft(run);
});

it.each([
  ['fails', 'process.exit(1);'],
  ['ends', 'await folder.end(); process.exit(0);'],
])('nothing is left of a run that %s', async (_, end) => {
  await expectNothingLeft(await start(end));
});

it('a run is told what it had left running', async () => {
  const { child } = await start(
    'process.exitCode = (await folder.end()).some((line) => Number.parseInt(line) === server.pid) ? 7 : 0;',
  );
  const [code] = await once(child, 'close');
  expect(code).toBe(7);
});
