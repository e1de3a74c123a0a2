/** The JavaScript that a browser downloads before a user can sign in or work in staging. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const DIST = path.resolve(import.meta.dirname, '../../apps/web/dist');
const KIB = 1024;

let sources: Map<string, string>;

beforeAll(async () => {
  const names = (await readdir(path.join(DIST, 'assets'))).filter((name) => name.endsWith('.js'));
  const read = async (name: string) =>
    [name, await readFile(path.join(DIST, 'assets', name), 'utf8')] as const;
  sources = new Map(await Promise.all(names.map(read)));
});

function chunk(page: string): string {
  const found = [...sources.keys()].find((name) => name.startsWith(`${page}-`));
  if (!found) throw new Error(`no chunk of ${page}`);
  return found;
}

/** A chunk and its static imports; dynamic imports are downloaded later. */
function needed(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const imports = (sources.get(name) ?? '').matchAll(
    /(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g,
  );
  for (const [, each] of imports) needed(each ?? '', found);
  return found;
}

async function compressed(names: Iterable<string>): Promise<number> {
  const files = [...names].map((name) => readFile(path.join(DIST, 'assets', `${name}.gz`)));
  return (await Promise.all(files)).reduce((sum, bytes) => sum + bytes.length, 0);
}

/** The chunk that contains this message. */
function messages(text: string): string {
  const [name] = [...sources].find(([, source]) => source.includes(text)) ?? [];
  if (!name) throw new Error(`no chunk with “${text}”`);
  return name;
}

async function entry(): Promise<string> {
  const html = await readFile(path.join(DIST, 'index.html'), 'utf8');
  return /<script[^>]*\/assets\/(start-[\w.-]+\.js)/.exec(html)?.[1] ?? '';
}

const LANGUAGES = [
  ['en', 'Use another account', 'No images in staging'],
  ['fr', 'Utiliser un autre compte', 'Aucune image en transit'],
  ['de', 'Anderes Konto verwenden', 'Keine Images im Staging-Bereich'],
] as const;

describe.each(LANGUAGES)('in %s', (_, signIn, list) => {
  it.each([
    ['signing in', [], [signIn], 180],
    [
      'the list of jobs, signing in included',
      ['signed-in', 'jobs-page', 'account-menu', 'more-filters'],
      [signIn, list],
      250,
    ],
  ])('%s loads no more compressed JavaScript than its limit', async (__, pages, texts, limit) => {
    const chunks = [await entry(), ...texts.map(messages), ...pages.map(chunk)];
    const all = new Set(chunks.flatMap((name) => [...needed(name)]));
    expect((await compressed(all)) / KIB).toBeLessThan(limit);
  });
});

it('each language is loaded alone', async () => {
  const chunks = LANGUAGES.flatMap(([, ...texts]) => texts.map(messages));
  expect(new Set(chunks).size).toBe(chunks.length);
  for (const name of chunks) expect(needed(await entry()).has(name), name).toBe(false);
});

it('each page of staging is a separate chunk, loaded after the first load', async () => {
  const first = needed(await entry());
  for (const page of ['jobs-page', 'pull-page', 'job-page']) {
    expect(first.has(chunk(page)), page).toBe(false);
    expect((await compressed([chunk(page)])) / KIB, page).toBeLessThan(40);
  }
});

it.each([
  'images-page',
  'repository-page',
  'registries-page',
  'transfers-page',
  'new-transfer-page',
  'schedule-page',
  'vulnerabilities-page',
  'vulnerability-page',
])('%s adds nothing to the first load, and has a limited size', async (page) => {
  expect(needed(await entry()).has(chunk(page))).toBe(false);
  expect((await compressed([chunk(page)])) / KIB).toBeLessThan(40);
});

it('the overview with its charts has a limited size', async () => {
  const first = needed(chunk('signed-in'), needed(await entry()));
  const more = [...needed(chunk('dashboard-page'))].filter((name) => !first.has(name));
  expect((await compressed([chunk('dashboard-page')])) / KIB).toBeLessThan(10);
  expect((await compressed(more)) / KIB).toBeLessThan(80);
  expect([...sources.values()].some((text) => text.includes('recharts'))).toBe(false);
});

it('the library that describes cron expressions is loaded only where they are shown', async () => {
  const [library] =
    [...sources].find(([, text]) => text.includes('everyMinute') && text.includes('atSpace')) ?? [];
  for (const page of ['transfers-page', 'schedule-page'])
    expect(needed(chunk(page)).has(library ?? ''), page).toBe(false);
  expect(library).toBeDefined();
});

it('the contract’s schemas stay on the server', () => {
  for (const [name, text] of sources) expect(text.includes('ZodError'), name).toBe(false);
});
