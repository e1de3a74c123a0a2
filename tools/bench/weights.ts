/**
 * `npm run bench weights`: the JavaScript that a browser without a cache downloads for each page,
 * brotli-compressed, after `npm start` or a test has built the page: KiB in each language, and
 * files. Prints a table for docs/benchmarks.md.
 */
import { readBuiltChunks } from '../../tests/support/built-chunks.ts';
import { wordsOf } from '../../tests/support/page-words.ts';

const KIB = 1024;
const LANGUAGES = ['en', 'de', 'fr'];

/** The chunk of each page, by its name in the table. */
const ROUTES = {
  overview: 'dashboard-page',
  staging: 'jobs-page',
  pull: 'pull-page',
  job: 'job-page',
  folders: 'folders-page',
  folder: 'folder-page',
  images: 'images-page',
  repository: 'repository-page',
  compare: 'compare-page',
  vulnerabilities: 'vulnerabilities-page',
  vulnerability: 'vulnerability-page',
  waivers: 'waivers-page',
  transfers: 'transfers-page',
  transfer: 'transfer-page',
  'new transfer': 'new-transfer-page',
  schedule: 'schedule-page',
  registries: 'registries-page',
  account: 'account-page',
  users: 'users-page',
  groups: 'groups-page',
  robots: 'robots-page',
  permissions: 'permissions-page',
  'scan policy': 'scan-page',
  policies: 'policies-page',
  policy: 'policy-page',
  'single sign-on': 'oidc-page',
  network: 'network-page',
  webhooks: 'webhooks-page',
  webhook: 'webhook-page',
  'audit log': 'audit-page',
  system: 'system-page',
};

const { chunk, containing, needed, compressed } = await readBuiltChunks();

/** The chunks of a language's messages, each found by one of its texts. */
async function messagesOf(language: string) {
  const words = await wordsOf(language);
  return {
    signIn: containing(words.session?.other ?? ''),
    jobs: containing(words.staging?.emptyTitle ?? ''),
    pages: containing(words.audit?.lead ?? ''),
  };
}
const messages = await Promise.all(LANGUAGES.map(messagesOf));
type Messages = (typeof messages)[number];

async function row(title: string, chunksFor: (language: Messages) => string[]): Promise<void> {
  const sets = messages.map((language) => needed(...chunksFor(language)));
  const bytes = await Promise.all(sets.map((files) => compressed(files, 'br')));
  const cells = bytes.map((size) => Math.round(size / KIB));
  process.stdout.write(`| ${title} | ${cells.join(' | ')} | ${sets[0]?.size} |\n`);
}

process.stdout.write(`| page | ${LANGUAGES.join(' | ')} | files |\n|---|---|---|---|---|\n`);
await row('sign-in', ({ signIn }) => [chunk('start'), signIn]);
for (const [title, page] of Object.entries(ROUTES))
  await row(title, ({ signIn, jobs, pages }) => {
    const own = page === 'jobs-page' ? [] : [pages];
    const first = [chunk('start'), chunk('signed-in'), chunk('account-menu')];
    return [...first, signIn, jobs, ...own, chunk(page)];
  });
