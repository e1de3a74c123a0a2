/** The JavaScript that a browser downloads before a user can sign in or work in staging. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltChunks, readBuiltChunks } from '../support/built-chunks.ts';

const KIB = 1024;

let built: BuiltChunks;
beforeAll(async () => {
  built = await readBuiltChunks();
});

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
    const { chunk, containing, needed, compressed } = built;
    const all = needed(chunk('start'), ...texts.map(containing), ...pages.map(chunk));
    expect((await compressed(all, 'gz')) / KIB).toBeLessThan(limit);
  });
});

it('each language is loaded alone', () => {
  const chunks = LANGUAGES.flatMap(([, ...texts]) => texts.map(built.containing));
  expect(new Set(chunks).size).toBe(chunks.length);
  for (const name of chunks) expect(built.needed(built.chunk('start')).has(name), name).toBe(false);
});

it('each page of staging is a separate chunk, loaded after the first load', async () => {
  const first = built.needed(built.chunk('start'));
  for (const page of ['jobs-page', 'pull-page', 'job-page']) {
    expect(first.has(built.chunk(page)), page).toBe(false);
    expect((await built.compressed([built.chunk(page)], 'gz')) / KIB, page).toBeLessThan(40);
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
  expect(built.needed(built.chunk('start')).has(built.chunk(page))).toBe(false);
  expect((await built.compressed([built.chunk(page)], 'gz')) / KIB).toBeLessThan(40);
});

it('the overview with its charts has a limited size', async () => {
  const first = built.needed(built.chunk('start'), built.chunk('signed-in'));
  const more = [...built.needed(built.chunk('dashboard-page'))].filter((name) => !first.has(name));
  expect((await built.compressed([built.chunk('dashboard-page')], 'gz')) / KIB).toBeLessThan(10);
  expect((await built.compressed(more, 'gz')) / KIB).toBeLessThan(80);
  expect([...built.sources.values()].some((text) => text.includes('recharts'))).toBe(false);
});

it('the library that describes cron expressions is loaded only where they are shown', () => {
  const [library] =
    [...built.sources].find(
      ([, text]) => text.includes('everyMinute') && text.includes('atSpace'),
    ) ?? [];
  for (const page of ['transfers-page', 'schedule-page'])
    expect(built.needed(built.chunk(page)).has(library ?? ''), page).toBe(false);
  expect(library).toBeDefined();
});

it('the contract’s schemas stay on the server', () => {
  for (const [name, text] of built.sources) expect(text.includes('ZodError'), name).toBe(false);
});
