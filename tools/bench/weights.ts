/**
 * `npm run bench weights`: the JavaScript that a browser without a cache downloads for each page in
 * English, brotli-compressed, after `npm start` or a test has built the page: KiB and files. Prints
 * a table for docs/benchmarks.md.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const ASSETS = path.resolve(import.meta.dirname, '../../apps/web/dist/assets');
const KIB = 1024;
/** One text of each bundle of messages, by which its chunk is found. */
const SIGN_IN = 'Use another account';
const JOBS = 'No images in staging';
const PAGES = 'Who did what, when and from where.';

/** The chunk of each page, by its name in the table. */
const ROUTES = {
  staging: 'jobs-page',
  job: 'job-page',
  pull: 'pull-page',
  images: 'images-page',
  repository: 'repository-page',
  folders: 'folders-page',
  folder: 'folder-page',
  vulnerabilities: 'vulnerabilities-page',
  waivers: 'waivers-page',
  transfers: 'transfers-page',
  'new transfer': 'new-transfer-page',
  schedule: 'schedule-page',
  registries: 'registries-page',
  'overview, charts included': 'dashboard-page',
  'audit log': 'audit-page',
  system: 'system-page',
};

const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
const sources = new Map(
  await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(ASSETS, name), 'utf8')] as const),
  ),
);

function chunk(page: string): string {
  const found = names.find((name) => name.startsWith(`${page}-`));
  if (found === undefined) throw new Error(`no chunk of ${page}`);
  return found;
}

function messages(text: string): string {
  const [name] = [...sources].find(([, source]) => source.includes(text)) ?? [];
  if (name === undefined) throw new Error(`no chunk with “${text}”`);
  return name;
}

/** A chunk and its static imports. */
function needed(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const imports = (sources.get(name) ?? '').matchAll(
    /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g,
  );
  for (const [, each] of imports) needed(each ?? '', found);
  return found;
}

async function row(title: string, chunks: string[]): Promise<void> {
  const all = [...new Set(chunks.flatMap((name) => [...needed(name)]))];
  const sizes = await Promise.all(all.map((name) => readFile(path.join(ASSETS, `${name}.br`))));
  const kib = sizes.reduce((sum, { length }) => sum + length, 0) / KIB;
  process.stdout.write(`| ${title} | ${Math.round(kib)} | ${all.length} |\n`);
}

process.stdout.write('| page | KiB | files |\n|---|---|---|\n');
const first = [chunk('start'), messages(SIGN_IN)];
await row('sign-in', first);
const signedIn = [...first, chunk('signed-in'), chunk('account-menu'), messages(JOBS)];
for (const [title, page] of Object.entries(ROUTES)) {
  const own = page === 'jobs-page' ? [] : [messages(PAGES)];
  await row(title, [...signedIn, ...own, chunk(page)]);
}
