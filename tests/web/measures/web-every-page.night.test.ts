/**
 * Every page and every state that scenes.ts opens, in each language: it is accessible, in light and
 * dark mode and at 360 px, nothing is left in English, and nothing is cut off.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ALL_RULES,
  COLOUR_RULES,
  type Contrasts,
  contrastsOf,
  WITHOUT_CONTRAST,
} from '../../support/axe.ts';
import {
  expectAccessible,
  expectStillAccessible,
  onPhone,
  requestsEnded,
  showIn,
  signedIn,
  type Visitor,
  visit,
} from '../../support/browser.ts';
import {
  browseTo,
  type ExampleProduct,
  exampleProduct,
  openWhole,
} from '../../support/example-product.ts';
import { cutOff, SHARED, texts } from '../../support/page-texts.ts';
import { wordsOf } from '../../support/page-words.ts';
import {
  ACCOUNTS,
  addReaders,
  NEWCOMER,
  pagesReadBy,
  ROLES,
  scenesSeenBy,
} from '../../support/readers.ts';
import { SCENES } from '../../support/scenes.ts';

const LANGUAGES = ['en', 'de', 'fr'] as const;

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct();
  await addReaders(browsed);
});
afterAll(() => browsed?.stop());

/**
 * Checks the page as it is shown, and returns its texts. Colours are the same in each language, and
 * are checked in English.
 */
async function look(page: Page, name: string, language: string): Promise<Set<string>> {
  const isEnglish = language === 'en';
  await showIn(page, 'light');
  await expectAccessible(page, `${name}, light`, isEnglish ? ALL_RULES : WITHOUT_CONTRAST);
  const words = new Set(await texts(page));
  const contrasts = isEnglish ? await contrastsInDark(page, name) : null;
  await onPhone(page, name, async () => {
    const phone = `${name}, at 360 px`;
    if (contrasts) await expectStillAccessible(page, phone, contrasts);
    else await expectAccessible(page, phone, WITHOUT_CONTRAST);
    await expect.poll(() => cutOff(page), { message: name }).toEqual([]);
  });
  return words;
}

async function contrastsInDark(page: Page, name: string): Promise<Contrasts> {
  await showIn(page, 'dark');
  await expectAccessible(page, `${name}, dark`, COLOUR_RULES);
  return contrastsOf(page);
}

function addressOf(name = ''): string {
  const address = browsed.pages[name];
  if (address === undefined) throw new Error(`there is no page ${name}`);
  return address;
}

type Opened = (page: Page, language: string) => Promise<unknown>;

/** One reader of each language looks at the page, all at the same time. */
async function lookAll(readers: readonly Visitor[], name: string, open: Opened): Promise<void> {
  const looks = readers.map(async ({ page }, nth) => {
    const language = LANGUAGES[nth] ?? '';
    await open(page, language);
    return look(page, `${name} in ${language}`, language);
  });
  const [english, ...others] = await Promise.all(looks);
  for (const [nth, words] of others.entries()) {
    const left = [...words].filter((text) => english?.has(text) && !SHARED.test(text));
    expect.soft(left, `${name} in ${LANGUAGES[nth + 1]}`).toEqual([]);
  }
}

/** A browser for each language, without faults in its console. */
async function withReaders(
  open: (language: string) => Promise<Visitor>,
  read: (readers: readonly Visitor[]) => Promise<void>,
): Promise<void> {
  const readers = await Promise.all(LANGUAGES.map(open));
  try {
    await read(readers);
    expect(readers.flatMap(({ faults }) => faults)).toEqual([]);
  } finally {
    await Promise.all(readers.map(({ close }) => close()));
  }
}

describe.for(ROLES)('as %s', (role) => {
  const readIn = (language: string) =>
    signedIn(browsed.browser, browsed.url, ACCOUNTS[role], { language });

  it.for(pagesReadBy(role))('the pages $title', ({ names }) =>
    withReaders(readIn, async (readers) => {
      for (const name of names) {
        // The scripts of a page are loaded once; the next ones follow as links lead to them.
        await lookAll(readers, name, (page) => browseTo(page, addressOf(name)));
      }
    }),
  );

  it.for(scenesSeenBy(role))('the states $title', ({ names }) =>
    withReaders(readIn, async (readers) => {
      for (const name of names) {
        const scene = SCENES[name];
        await lookAll(readers, name, async (page, language) => {
          await openWhole(page, addressOf(scene?.on));
          await scene?.act?.(page, await wordsOf(language));
          await requestsEnded(page);
        });
      }
    }),
  );
});

describe('a newcomer', () => {
  it('reads the sign-in page, and that the password has to be changed', () =>
    withReaders(
      (language) => visit(browsed.browser, browsed.url, { locale: language }),
      async (readers) => {
        await lookAll(readers, 'sign-in', (page) => openWhole(page, '/login'));
        await lookAll(readers, 'forced-password', async (page) => {
          const [username, password] = NEWCOMER;
          await page.locator('input[autocomplete=username]').fill(username);
          await page.locator('input[type=password]').fill(password);
          await page.locator('button[type=submit]').click();
          await page.locator('input[autocomplete=new-password]').first().waitFor();
          await requestsEnded(page);
        });
      },
    ));
});
