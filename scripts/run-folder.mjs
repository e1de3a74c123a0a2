/**
 * The temporary folder of one run of the tests, and the guard that ends what the run leaves behind:
 * each process that names the folder in its command line, its environment or its working directory,
 * and the folder itself. The guard is a separate process, because a killed run cleans up nothing.
 *
 * As a program it is that guard: it works once its standard input ends, which happens when the run
 * ends in any way.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Short, because the path of a Unix socket has 107 bytes at most. */
const PREFIX = 'pct-';

/**
 * Creates the folder and starts its guard.
 * @returns its path, and `end`, which resolves once nothing of the run is left, with the processes
 *   that had to be killed
 */
export function openRunFolder() {
  for (const old of abandonedFolders()) rmSync(old, { recursive: true, force: true });
  const path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(path, 0o1777); // as /tmp: some tests run services under other accounts
  const guard = spawn(process.execPath, [fileURLToPath(import.meta.url), path], {
    detached: true, // a signal to our process group must not reach it
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH },
  });
  let killed = '';
  guard.stdout.setEncoding('utf8').on('data', (text) => {
    killed += text;
  });
  const ended = new Promise((resolve) => guard.once('close', resolve));
  const end = async () => {
    guard.stdin.end();
    await ended;
    return killed.split('\n').filter((line) => line !== '');
  };
  return { path, end };
}

/** Folders whose run and guard were killed together. */
function abandonedFolders() {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .filter((name) => !existsSync(`/proc/${name.slice(PREFIX.length).split('-')[0]}`))
    .map((name) => join(tmpdir(), name))
    .filter((path) => processesOf(path).length === 0);
}

/** The guard itself names the folder in its command line. */
function processesOf(path) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => names(pid, path));
}

function names(pid, path) {
  const texts = [
    () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
    () => readlinkSync(`/proc/${pid}/cwd`),
  ];
  return texts.some((read) => {
    try {
      return read().includes(path);
    } catch {
      return false; // it ended meanwhile, or belongs to another account
    }
  });
}

const MOST_ROUNDS = 100;

async function clean(path) {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const left = processesOf(path);
    if (left.length === 0) break;
    for (const pid of left) kill(pid);
    await sleep(50);
  }
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function kill(pid) {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    process.kill(Number(pid), 'SIGKILL');
    if (command !== '') process.stdout.write(`${pid} ${command.slice(0, 200)}\n`);
  } catch {
    // It ended meanwhile.
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path = ''] = process.argv.slice(2);
  if (!basename(path).startsWith(PREFIX)) throw new Error(`${path} is not the folder of a run`);
  process.stdout.on('error', () => {}); // nothing reads it after a killed run
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.stdin.resume().once('end', () => clean(path));
}
