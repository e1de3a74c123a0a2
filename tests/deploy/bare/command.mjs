/** A command of the README, run inside the bare root on Debian's Node as a newcomer runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The first start downloads everything. */
const READY_MS = 20 * 60_000;
const STOP_MS = 90_000;

/**
 * Runs `npm` with the arguments on a free port until it prints `ready`, does `act`, and sends
 * SIGTERM to npm alone, as a service manager does. Exits with 1 and a message when one of these
 * fails.
 *
 * @param act gets all output so far, and the port
 */
export async function runUntil(args, ready, act) {
  const from = Date.now();
  const port = await freePort();
  const npm = spawn('npm', args, {
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
    while (!ready.test(output)) {
      check(npm.exitCode === null, `npm ${args.join(' ')} ended with ${npm.exitCode}`);
      const isLate = Date.now() - from > READY_MS;
      check(!isLate, `it was not ready after ${READY_MS / 60_000} minutes`);
      await sleep(200);
    }
    say(`ready after ${seconds(from)}`);
    await act({ output, port });
    const stoppedAt = Date.now();
    npm.kill('SIGTERM');
    await within(STOP_MS, closed, 'SIGTERM to npm did not end everything');
    check(/stopped\s*$/.test(output), 'the product did not say that it stopped');
    say(`SIGTERM to npm ended everything in ${seconds(stoppedAt)}`);
  } catch (error) {
    say(`failed: ${error.message}`);
    npm.kill('SIGKILL');
    process.exit(1);
  }
}

export function check(holds, sentence) {
  if (!holds) throw new Error(sentence);
}

function say(text) {
  process.stdout.write(`[bare] ${text}\n`);
}

const seconds = (from) => `${((Date.now() - from) / 1000).toFixed(1)} s`;

async function within(milliseconds, promise, sentence) {
  const timer = sleep(milliseconds, 'late', { ref: false });
  check((await Promise.race([promise, timer])) !== 'late', sentence);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
