/**
 * Unpacks Debian packages without root, without installing or starting anything: a private apt
 * state, download only. apt checks the signatures with the machine's own keys and sources.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { type LockOptions, withLock } from '@portcullis/runtime';
import { fillOnce } from './cache.ts';
import { withProgress } from './progress.ts';
import { run, type ToolOptions } from './run.ts';

const LISTS_FRESH_MS = 6 * 3_600_000;

export interface DebianOptions extends LockOptions {
  cacheDir: string;
  env: NodeJS.ProcessEnv;
  log?: ((text: string) => void) | undefined;
}

/** The root of the unpacked package and of the dependencies that this machine lacks. */
export async function unpackPackage(name: string, options: DebianOptions): Promise<string> {
  const root = join(options.cacheDir, 'debian', name);
  await fillOnce(root, (draft) => fetchPackage(name, draft, options), options);
  return root;
}

export async function forgetPackage(name: string, options: DebianOptions): Promise<void> {
  const root = join(options.cacheDir, 'debian', name);
  await withLock(`${root}.lock`, () => rm(root, { recursive: true, force: true }), options);
}

/**
 * Environment in which programs below `root` find their libraries. Some packages have private ones
 * in a subdirectory and rely on a path in the library that needs them, which is valid only for an
 * installed package.
 */
export async function libraryEnv(root: string): Promise<Record<string, string>> {
  const found: string[] = [];
  for (const base of ['lib', 'usr/lib']) {
    const dirs = await foldersIn(join(root, base));
    for (const dir of dirs.filter((each) => basename(each).includes('-linux-')))
      found.push(dir, ...(await foldersWithLibraries(dir)));
  }
  return found.length === 0 ? {} : { LD_LIBRARY_PATH: found.join(delimiter) };
}

async function foldersWithLibraries(dir: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of await foldersIn(dir)) {
    if ((await readdir(folder)).some((name) => LIBRARY.test(name))) found.push(folder);
  }
  return found;
}

const LIBRARY = /^lib.+\.so(?:\.|$)/;

async function foldersIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(dir, entry.name));
}

async function fetchPackage(name: string, draft: string, options: DebianOptions): Promise<void> {
  const state = join(options.cacheDir, 'debian', '.apt');
  const archives = join(draft, '.archives');
  await mkdir(join(archives, 'partial'), { recursive: true });
  const doing = `fetching ${name} with apt, once`;
  await withProgress({ doing, log: options.log, detail: () => sizeOf(archives) }, () =>
    withLock(`${state}.lock`, () => download(name, { state, archives, options }), options),
  );
  for (const file of (await readdir(archives)).filter((entry) => entry.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', join(archives, file), draft], options);
  }
  await rm(archives, { recursive: true, force: true });
}

async function sizeOf(archives: string): Promise<string> {
  const dirs = [archives, join(archives, 'partial')];
  const files = (
    await Promise.all(dirs.map(async (dir) => (await readdir(dir)).map((each) => join(dir, each))))
  ).flat();
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return `${(sizes.reduce((sum, size) => sum + size, 0) / 1e6).toFixed(0)} MB`;
}

interface Download {
  state: string;
  archives: string;
  options: DebianOptions;
}

async function download(name: string, { state, archives, options }: Download): Promise<void> {
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  const flags = aptFlags(state, archives);
  const how = {
    env: { ...options.env, HOME: '/nonexistent', LC_ALL: 'C' },
    signal: options.signal,
  };
  const stamp = join(state, 'updated');
  const isStale = !(await isFresh(stamp));
  const fault = isStale ? await refreshLists(flags, how) : null;
  try {
    // Without `--reinstall` apt fetches nothing where the machine has the package.
    const install = ['install', '--reinstall', '-y', '--no-install-recommends', '--download-only'];
    await run('apt-get', [...flags, ...install, name], how);
  } catch (error) {
    // Without lists apt knows no package: report why there are none.
    throw fault ?? error;
  }
  if (isStale) await writeFile(stamp, '');
}

/**
 * The error, or null. It may not matter: an unreachable source of the machine may not be the one we
 * need.
 */
async function refreshLists(flags: string[], how: ToolOptions): Promise<unknown> {
  try {
    await run('apt-get', [...flags, '-o', 'APT::Update::Error-Mode=any', 'update'], how);
    return null;
  } catch (error) {
    how.signal?.throwIfAborted();
    return error;
  }
}

function aptFlags(state: string, archives: string): string[] {
  const settings = {
    'Dir::State': state,
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(state, 'cache'),
    'Dir::Cache::archives': archives,
    'APT::Sandbox::User': '',
    'Debug::NoLocking': '1',
  };
  return ['-qq', ...Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`])];
}

async function isFresh(stamp: string): Promise<boolean> {
  const at = await stat(stamp).catch(() => null);
  return at !== null && Date.now() - at.mtimeMs < LISTS_FRESH_MS;
}
