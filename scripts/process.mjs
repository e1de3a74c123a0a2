import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A failure with a message for people, without a stack. */
export class Failure extends Error {}

export function say(text) {
  process.stderr.write(`[portcullis] ${text}\n`);
}

/**
 * Runs a program on our terminal and returns its exit code. Signals are forwarded: the program
 * decides when to end, and we end after it. It is also asked to end when the calling npm is gone,
 * which forwards no signal.
 */
export function runVisibly(command, args, env) {
  return follow(spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' }));
}

/**
 * The same beside other work, to which it leaves the processor: what it prints follows in one piece
 * when it ends.
 */
export async function runBeside(command, args, env) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn('nice', ['-n', '5', command, ...args], { cwd: ROOT, env, stdio });
  const printed = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => printed.push(chunk));
  try {
    return await follow(child);
  } finally {
    process.stdout.write(Buffer.concat(printed));
  }
}

async function follow(child) {
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const stopWatching = watchNpm(() => child.kill('SIGTERM'));
  try {
    return await ended(child);
  } finally {
    stopWatching();
    for (const signal of signals) process.off(signal, forward);
  }
}

const WATCH_MS = 500;

/** Calls `gone` once npm has ended. Does nothing where npm did not call us. */
function watchNpm(gone) {
  if (!process.env.npm_lifecycle_event) return () => {};
  const lineage = lineageToNpm();
  const timer = setInterval(() => {
    if (isIntact(lineage)) return;
    clearInterval(timer);
    gone();
  }, WATCH_MS);
  return () => clearInterval(timer);
}

/** Our parent processes up to npm: it runs a script through shells, which may outlive it. */
function lineageToNpm() {
  const pids = [process.ppid];
  while (SHELLS.has(programOf(pids.at(-1)))) pids.push(parentOf(pids.at(-1)));
  return pids;
}

function isIntact(pids) {
  return pids.every((pid, at) => (at === 0 ? process.ppid : parentOf(pids[at - 1])) === pid);
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'busybox', 'zsh', 'ksh']);

/** Empty where the system has no /proc. */
function programOf(pid) {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

/** 0 where the process is gone. */
function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const PROGRESS_MS = 10_000;

/**
 * Runs a program whose output is shown only when it fails, then its end. Until then its last line
 * is shown at intervals.
 */
export async function runQuietly(command, args, { cwd = ROOT, env } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const from = Date.now();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output = (output + chunk).slice(-8000);
    });
  }
  const timer = setInterval(() => {
    say(`  ${((Date.now() - from) / 1000).toFixed(0)} s: ${lastLineOf(output)}`);
  }, PROGRESS_MS);
  const code = await ended(child).finally(() => clearInterval(timer));
  if (code !== 0)
    throw new Failure(
      `${command} ${args.join(' ')} ended with code ${code}. What it said:\n${output.trim()}`,
    );
}

function lastLineOf(text) {
  return (
    text
      .trim()
      .split(/[\r\n]+/)
      .at(-1)
      .slice(0, 120) || 'no output yet'
  );
}

/** The exit code, as a shell would return it. */
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
