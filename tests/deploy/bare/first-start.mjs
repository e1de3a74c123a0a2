/**
 * Runs inside the bare root on Debian's Node: the README's first command until the product is
 * ready, the first login with the printed password, and SIGTERM to npm alone, as a service manager
 * sends it. Exits with 1 and a message when one of these fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The first start downloads everything. */
const READY_MS = 20 * 60_000;
const STOP_MS = 90_000;

const port = await freePort();
const from = Date.now();
const npm = spawn('npm', ['start'], {
  env: { ...process.env, PORT: String(port) },
  stdio: ['ignore', 'pipe', 'pipe'],
});
const closed = once(npm, 'close');
let output = '';
for (const stream of [npm.stdout, npm.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    output += text;
    process.stdout.write(text);
  });
}

try {
  await ready();
  say(`ready after ${seconds()}`);
  await logIn();
  listensOnLoopbackOnly();
  const stoppedAt = Date.now();
  npm.kill('SIGTERM');
  await within(STOP_MS, closed, 'SIGTERM to npm did not end everything');
  check(/stopped\s*$/.test(output), 'the product did not say that it stopped');
  say(`SIGTERM to npm ended everything in ${((Date.now() - stoppedAt) / 1000).toFixed(1)} s`);
} catch (error) {
  say(`failed: ${error.message}`);
  npm.kill('SIGKILL');
  process.exit(1);
}

async function ready() {
  const deadline = Date.now() + READY_MS;
  while (!/Portcullis is ready/.test(output)) {
    check(npm.exitCode === null, `npm start ended with ${npm.exitCode}`);
    check(Date.now() < deadline, `it was not ready after ${READY_MS / 60_000} minutes`);
    await sleep(200);
  }
}

async function logIn() {
  const url = /Address +(\S+)/.exec(output)?.[1];
  const password = /Password +(\S+)/.exec(output)?.[1];
  const body = JSON.stringify({ username: 'admin', password });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
  check(answer.status === 200, `the first login was answered with ${answer.status}`);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const isPage = page.headers.get('content-type')?.startsWith('text/html') ?? false;
  check(page.status === 200 && isPage, `the web page was answered with ${page.status}`);
}

function listensOnLoopbackOnly() {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const addresses = ['tcp', 'tcp6']
    .flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local.endsWith(`:${hex}`))
    .map(([, local]) => local.split(':')[0]);
  check(
    addresses.join() === '0100007F',
    `it listens on ${addresses.join(', ')}, not on 127.0.0.1 alone`,
  );
}

async function within(milliseconds, promise, sentence) {
  const timer = sleep(milliseconds, 'late', { ref: false });
  check((await Promise.race([promise, timer])) !== 'late', sentence);
}

function check(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

function seconds() {
  return `${((Date.now() - from) / 1000).toFixed(1)} s`;
}

function say(text) {
  process.stdout.write(`[bare] ${text}\n`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
