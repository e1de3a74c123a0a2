/**
 * Takes a screenshot of every page with example data, in three widths, light and dark, in each
 * language: `npm run screenshots -- FOLDER [PAGE...] [--look 1440-light-en]...`. Pages are named as
 * in pages.ts; without a look there are all of them.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { settled, signedIn, speak, visit } from './browser.ts';
import { ADMIN } from './developer.ts';
import { exampleProduct, openWhole } from './example-product.ts';

const WIDTHS = [1440, 1024, 360];
const SCHEMES = ['light', 'dark'] as const;
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
const { product, browser, pages, stop } = await exampleProduct();
try {
  const wanted = Object.entries(pages).filter(([name]) => only.length === 0 || only.includes(name));
  const visitor = await visit(browser, product.url);
  await everyLook(visitor.page, 'sign-in', '/login');
  await visitor.close();
  const { page, faults, close } = await signedIn(browser, product.url, ADMIN);
  for (const [name, address] of wanted) await everyLook(page, name, address);
  await close();
  for (const fault of faults) process.stderr.write(`console: ${fault}\n`);
} finally {
  await stop();
}

async function everyLook(page: Page, name: string, address: string): Promise<void> {
  for (const language of LANGUAGES) {
    const wanted = WIDTHS.flatMap((width) =>
      SCHEMES.map((scheme) => ({ width, scheme, look: `${width}-${scheme}-${language}` })),
    ).filter(({ look }) => looks === undefined || looks.includes(look));
    if (wanted.length === 0) continue;
    await page.goto(address);
    await speak(page, language);
    await openWhole(page, address);
    for (const { width, scheme, look } of wanted) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      // A menu or a colour may be on its way from the look before.
      await settled(page);
      const file = path.join(directory, `${name}-${look}.png`);
      await page.screenshot({ path: file, fullPage: true });
    }
  }
}
