/**
 * Prepares a fresh clone: installs its dependencies including Node 24, generates the Prisma client,
 * and builds the web page.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, runQuietly, say } from './process.mjs';

const PNPM = 'pnpm@10.34.9';
/** The Node that the product runs on, whichever one started this script. */
export const NODE = join(ROOT, 'node_modules', 'node', 'bin', 'node');

const PRISMA = join(ROOT, 'prisma');
const WEB = join(ROOT, 'apps', 'web');
const GENERATED = join(ROOT, 'packages', 'store', 'src', 'generated');
const MESSAGES = join(WEB, 'src', 'locales', 'generated');

/** @param before called and awaited before anything is prepared */
export async function prepare(before = () => {}) {
  const steps = preparations();
  if (!steps.every(isDone)) await before();
  for (const step of steps) await once(step);
}

function preparations() {
  return [
    {
      what: 'installing the dependencies (half a minute on a fresh clone)',
      hash: hashOf([
        join(ROOT, 'pnpm-lock.yaml'),
        join(ROOT, 'pnpm-workspace.yaml'),
        ...manifests(),
      ]),
      stamp: join(ROOT, 'node_modules', '.portcullis-installed'),
      made: NODE,
      work: install,
    },
    {
      what: 'generating the database client',
      hash: hashOf([
        join(ROOT, 'pnpm-lock.yaml'),
        ...filesBelow(PRISMA).filter((file) => file.endsWith('.prisma')),
      ]),
      stamp: join(ROOT, 'node_modules', '.portcullis-generated'),
      made: GENERATED,
      work: generate,
    },
    {
      what: 'compiling the messages of the web page',
      hash: hashOf([
        ...filesBelow(join(WEB, 'build', 'messages')),
        ...filesBelow(join(WEB, 'src', 'locales')).filter(isWritten),
        join(WEB, 'src', 'i18n', 'languages.ts'),
      ]),
      stamp: join(ROOT, 'node_modules', '.portcullis-messages'),
      made: MESSAGES,
      work: compileMessages,
    },
    {
      what: 'building the web page',
      hash: hashOf([
        join(ROOT, 'pnpm-lock.yaml'),
        ...['src', 'build', 'public'].flatMap((part) =>
          filesBelow(join(WEB, part)).filter(isWritten),
        ),
        ...['index.html', 'vite.config.ts', 'package.json'].map((file) => join(WEB, file)),
        // The operations of the REST API are built into the page.
        ...filesBelow(join(ROOT, 'packages', 'contract', 'src')),
      ]),
      stamp: join(ROOT, 'node_modules', '.portcullis-web'),
      made: join(WEB, 'dist', 'index.html'),
      work: buildWeb,
    },
  ];
}

/** Environment in which our Node and tools come first, with Node's compile cache. */
export function ownEnv() {
  return {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node'),
    ...process.env,
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
}

function install() {
  // NODE_ENV=production would omit development dependencies; CI keeps pnpm from asking questions.
  const { NODE_ENV, ...env } = process.env;
  return runQuietly('npx', ['-y', PNPM, 'install', '--frozen-lockfile'], {
    env: { ...env, CI: 'true' },
  });
}

function generate() {
  const env = { ...ownEnv(), CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  return runQuietly(NODE, ['--run', 'generate'], { cwd: join(ROOT, 'packages', 'store'), env });
}

function compileMessages() {
  return runQuietly(NODE, ['--run', 'messages'], { cwd: WEB, env: ownEnv() });
}

/** With another NODE_ENV, as in a test, React would be built for development. */
function buildWeb() {
  const env = { ...ownEnv(), NODE_ENV: 'production' };
  return runQuietly(NODE, ['--run', 'build'], { cwd: WEB, env });
}

/**
 * Does the work if its inputs changed since the last success; concurrent scripts do it one after
 * the other.
 */
async function once(step) {
  if (isDone(step)) return;
  const unlock = await lock(`${ROOT}/.prepare.lock`);
  try {
    if (isDone(step)) return;
    say(step.what);
    const start = Date.now();
    rmSync(step.stamp, { force: true });
    await step.work();
    writeFileSync(step.stamp, step.hash);
    say(`done in ${((Date.now() - start) / 1000).toFixed(1)} s`);
  } finally {
    unlock();
  }
}

function isDone({ hash, stamp, made }) {
  return existsSync(made) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** What is compiled changes only with what it is compiled from. */
function isWritten(file) {
  return !file.startsWith(MESSAGES);
}

function manifests() {
  const places = ['apps', 'packages'].flatMap((top) =>
    readdirSync(join(ROOT, top)).map((name) => join(ROOT, top, name)),
  );
  const files = places
    .map((place) => join(place, 'package.json'))
    .filter((file) => existsSync(file));
  return [join(ROOT, 'package.json'), ...files.sort()];
}

function filesBelow(dir) {
  const entries = readdirSync(dir)
    .sort()
    .map((name) => join(dir, name));
  return entries.flatMap((entry) => (statSync(entry).isDirectory() ? filesBelow(entry) : [entry]));
}

/** A directory, because creating one is atomic; the lock of a dead script is taken over. */
async function lock(path) {
  for (let waits = 0; ; waits++) {
    try {
      mkdirSync(path);
      writeFileSync(join(path, 'pid'), String(process.pid));
      return () => rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned(path)) rmSync(path, { recursive: true, force: true });
    else if (waits === 0) say('waiting for another script that prepares this folder');
    await sleep(200);
  }
}

function isAbandoned(path) {
  try {
    process.kill(Number(readFileSync(join(path, 'pid'), 'utf8')), 0);
    return false;
  } catch (error) {
    // A directory without a pid was created a moment ago, unless it has been so for a while.
    if (error.code === 'ENOENT')
      return existsSync(path) && Date.now() - statSync(path).mtimeMs > 5000;
    return error.code === 'ESRCH';
  }
}
