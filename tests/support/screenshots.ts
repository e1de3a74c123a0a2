/**
 * Takes a screenshot of every page and its dialogs with example data, in three widths, light and
 * dark, in each language: `npm run screenshots -- FOLDER [PAGE...] [--look 1440-light-en]...`.
 * Pages are named as in pages.ts, and what is opened on them as in scenes.ts; without a look there
 * are all of them.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { requestsEnded, settled, signedIn, speak, visit } from './browser.ts';
import { exampleProduct, openWhole } from './example-product.ts';
import { wordsOf } from './page-words.ts';
import { ACCOUNTS, addReaders } from './readers.ts';
import { SCENES } from './scenes.ts';

const WIDTHS = [1440, 1024, 360];
const SCHEMES = ['light', 'dark'] as const;
/** Where everything that is pressed is visible. */
const DESKTOP = { width: 1440, height: 900 };
const LANGUAGES = ['en', 'de', 'fr'];
const {
  values: { look: looks },
  positionals: [folder = 'screenshots', ...only],
} = parseArgs({
  options: { look: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const directory = path.resolve(process.env.INIT_CWD ?? process.cwd(), folder);
await mkdir(directory, { recursive: true });
const example = await exampleProduct();
const { product, browser, pages, stop } = example;
try {
  await addReaders(example);
  const visitor = await visit(browser, product.url);
  if (isWanted('sign-in')) await everyLook(visitor.page, 'sign-in', { address: '/login' });
  await visitor.close();
  for (const [role, login] of Object.entries(ACCOUNTS)) {
    const { page, faults, close } = await signedIn(browser, product.url, login);
    for (const [name, state] of statesOf(role))
      await everyLook(page, name, state).catch((error: Error) => {
        process.stderr.write(`${name}: ${error.message}\n`);
        process.exitCode = 1;
      });
    await close();
    for (const fault of faults) process.stderr.write(`console of ${role}: ${fault}\n`);
  }
} finally {
  await stop();
}

/** Pages as they are opened, and scenes on them. */
function statesOf(role: string): [string, PageState][] {
  const opened = Object.entries(pages).map(([name, address]) => [name, { address }] as const);
  const scenes = Object.entries(SCENES)
    .filter(([, { as = 'admin' }]) => as === role)
    .map(([name, { on, act }]) => [name, { address: pages[on] ?? '', act }] as const);
  const all = role === 'admin' ? [...opened, ...scenes] : scenes;
  return all.filter(([name]) => isWanted(name)).map(([name, state]) => [name, state]);
}

function isWanted(name: string): boolean {
  return only.length === 0 || only.includes(name);
}

interface PageState {
  address: string;
  act?: (typeof SCENES)[string]['act'];
}

async function everyLook(page: Page, name: string, { address, act }: PageState): Promise<void> {
  for (const language of LANGUAGES) {
    const wanted = WIDTHS.flatMap((width) =>
      SCHEMES.map((scheme) => ({ width, scheme, look: `${width}-${scheme}-${language}` })),
    ).filter(({ look }) => looks === undefined || looks.includes(look));
    if (wanted.length === 0) continue;
    await page.setViewportSize(DESKTOP);
    await page.goto(address);
    await speak(page, language);
    await openWhole(page, address);
    if (act) {
      await act(page, await wordsOf(language));
    }
    for (const { width, scheme, look } of wanted) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      // A menu or a colour may be on its way from the look before.
      await requestsEnded(page);
      await settled(page);
      const file = path.join(directory, `${name}-${look}.png`);
      await page.screenshot({ path: file, fullPage: act === undefined });
    }
  }
}
