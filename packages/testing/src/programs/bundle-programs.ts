/**
 * Bundles each program of the product into one file for the integration tests. They start more than
 * a hundred processes of it, and a process spends most of its start on resolving two thousand
 * modules. `npm start`, the images and the night lane run the sources.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fillOnce } from '@portcullis/embedded';
import { type Plugin, rolldown } from 'rolldown';
import { PROGRAMS } from './preload.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const CACHE = join(ROOT, 'node_modules/.cache/programs');
const PRELOAD = new URL('./preload.ts', import.meta.url);
const DAY_MS = 24 * 60 * 60 * 1000;

/** @returns options with which Node runs the bundle of a program in place of its sources */
export async function bundlePrograms(): Promise<string> {
  const dir = join(CACHE, await hashOfSources());
  await fillOnce(dir, async (draft) => {
    await removeOlder();
    await bundleInto(draft);
  });
  const preload = new URL(PRELOAD);
  preload.searchParams.set('bundles', pathToFileURL(`${dir}/`).href);
  return `--import=${preload.href}`;
}

/** One bundle for each program; modules that several of them import are in shared chunks. */
async function bundleInto(dir: string): Promise<void> {
  const mains = PROGRAMS.map((each) => [each, join(ROOT, 'apps', each, 'src/main.ts')]);
  const made = await rolldown({
    input: Object.fromEntries(mains),
    platform: 'node',
    makeAbsoluteExternalsRelative: false,
    external: (id, _, isResolved) => isResolved && staysOutside(id),
    transform: { target: 'node24' },
    plugins: [KEEP_PLACES],
  });
  await made.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
  });
  await made.close();
}

const SLOPPY = new Map<string, boolean>();

/**
 * Whether it is of a package with a CommonJS module without strict mode, which a bundle has. All
 * modules of a package are on one side: each of them is evaluated once.
 */
function staysOutside(file: string): boolean {
  const [, dir] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  if (dir === undefined) return false;
  const known = SLOPPY.get(dir);
  if (known !== undefined) return known;
  const { type } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const files = type === 'module' ? [] : globSync('**/*.{js,cjs}', { cwd: dir, exclude: UNUSED });
  const sloppy = files.some((each) => !STRICT.test(readFileSync(join(dir, each), 'utf8')));
  SLOPPY.set(dir, sloppy);
  return sloppy;
}

const UNUSED = ['**/{test,tests,bin,benchmarks,esm,umd}/**', '**/*.min.js'];
const STRICT = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*|#!.*)*['"]use strict['"]/;

/** A module finds the files and threads beside its source, not beside the bundle. */
const KEEP_PLACES: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dirname|filename)\b/ },
    handler(code, id) {
      const places: Record<string, string> = {
        'import.meta.url': pathToFileURL(id).href,
        'import.meta.dirname': dirname(id),
        'import.meta.filename': id,
        __dirname: dirname(id),
        __filename: id,
      };
      // Prisma's client defines one as a global.
      const names =
        /\bimport\.meta\.(?:url|dirname|filename)\b|(?<!['"])\b__(?:dirname|filename)\b/g;
      return code.replace(names, (name) => JSON.stringify(places[name]));
    },
  },
};

/** Another run may use those of the last day. */
async function removeOlder(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(path, { recursive: true, force: true });
  }
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await sources())
    hash
      .update(file.slice(ROOT.length))
      .update('\0')
      .update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function sources(): Promise<string[]> {
  const packages = (await readdir(join(ROOT, 'packages'))).map((name) => `packages/${name}`);
  const apps = PROGRAMS.map((name) => `apps/${name}`);
  const files = await Promise.all(
    [...packages, ...apps].map((place) => filesBelow(join(ROOT, place, 'src'))),
  );
  return [join(ROOT, 'pnpm-lock.yaml'), ...files.flat()].sort();
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.ts$/.test(basename(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}
