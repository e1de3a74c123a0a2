import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A failure the reader is told about in words, without a stack. */
export class Failure extends Error {}

export function say(text) {
  process.stderr.write(`[portcullis] ${text}\n`);
}

/**
 * Runs a program with our terminal and gives its exit code. Signals that reach us go on to it: it decides when to
 * end, and we end after it.
 */
export async function runVisibly(command, args, env) {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  try {
    return await ended(child);
  } finally {
    for (const signal of signals) process.off(signal, forward);
  }
}

/** Runs a program whose output matters only when it fails: then its end is shown. */
export async function runQuietly(command, args, { cwd = ROOT, env } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-8000);
    });
  }
  const code = await ended(child);
  if (code !== 0)
    throw new Failure(
      `${command} ${args.join(' ')} ended with code ${code}. What it said:\n${output.trim()}`,
    );
}

/** The exit code, as a shell would give it. */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Failure(`${child.spawnfile} can't be started: ${error.message}`)),
    );
    child.once('close', (code, signal) =>
      resolve(signal === null ? code : 128 + (SIGNAL_NUMBERS[signal] ?? 0)),
    );
  });
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };
