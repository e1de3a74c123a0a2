/**
 * `npm run bench weights`: the JavaScript that a browser without a cache downloads for each page in
 * English, brotli-compressed, after `npm start` or a test has built the page: KiB and files. Prints
 * a table for docs/benchmarks.md.
 */
import { readBuiltChunks } from '../../tests/support/built-chunks.ts';

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

const { chunk, containing: messages, needed, compressed } = await readBuiltChunks();

async function row(title: string, chunks: string[]): Promise<void> {
  const all = needed(...chunks);
  const kib = (await compressed(all, 'br')) / KIB;
  process.stdout.write(`| ${title} | ${Math.round(kib)} | ${all.size} |\n`);
}

process.stdout.write('| page | KiB | files |\n|---|---|---|\n');
const first = [chunk('start'), messages(SIGN_IN)];
await row('sign-in', first);
const signedIn = [...first, chunk('signed-in'), chunk('account-menu'), messages(JOBS)];
for (const [title, page] of Object.entries(ROUTES)) {
  const own = page === 'jobs-page' ? [] : [messages(PAGES)];
  await row(title, [...signedIn, ...own, chunk(page)]);
}
