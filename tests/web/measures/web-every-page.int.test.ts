/**
 * Every page in each language: it is accessible, in light and dark mode, nothing is left in
 * English, and nothing is cut off.
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
  speak,
  type Visitor,
  visit,
} from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import {
  browseTo,
  type ExampleProduct,
  exampleProduct,
  openWhole,
} from '../../support/example-product.ts';
import { cutOff, SHARED, texts } from '../../support/page-texts.ts';
import { PAGE_NAMES } from '../../support/pages.ts';
import { logIn } from '../../support/product.ts';

const LANGUAGES = ['en', 'de', 'fr'] as const;
/** Those that show a developer other things than an administrator. */
const DEVELOPERS_PAGES = [
  ...['overview', 'staging', 'pull', 'job', 'folder-list', 'folder', 'images', 'waivers'],
  ...['transfers', 'new-transfer', 'registries', 'account', 'robots', 'users'],
];
/** Has to change its password before anything else. */
const NEWCOMER = ['newcomer', 'the password of a newcomer'] as const;

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct();
  const admin = await logIn(browsed.product, ...ADMIN);
  const [username, password] = NEWCOMER;
  await admin('POST', '/api/auth/users', { username, password, must_change_password: true });
}, 600_000);
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

function addressOf(name: string): string {
  const address = browsed.pages[name];
  if (address === undefined) throw new Error(`there is no page ${name}`);
  return address;
}

type Opened = (page: Page) => Promise<void>;

/** One reader of each language looks at the page, all at the same time. */
async function lookAll(readers: readonly Visitor[], name: string, open: Opened): Promise<void> {
  const looks = readers.map(async ({ page }, nth) => {
    const language = LANGUAGES[nth] ?? '';
    await open(page);
    return look(page, `${name} in ${language}`, language);
  });
  const [english, ...others] = await Promise.all(looks);
  for (const [nth, words] of others.entries()) {
    const left = [...words].filter((text) => english?.has(text) && !SHARED.test(text));
    expect.soft(left, `${name} in ${LANGUAGES[nth + 1]}`).toEqual([]);
  }
}

/** Call in a `describe`: one reader of each language. */
function readersOf(open: () => Promise<Visitor>): Visitor[] {
  const readers: Visitor[] = [];
  beforeAll(async () => {
    readers.push(...(await Promise.all(LANGUAGES.map(open))));
    for (const [nth, { page }] of readers.entries()) {
      await speak(page, LANGUAGES[nth] ?? 'en');
      await page.reload();
    }
  });
  afterAll(async () => {
    await Promise.all(readers.map(({ close }) => close()));
    expect(readers.flatMap(({ faults }) => faults)).toEqual([]);
  });
  return readers;
}

describe('an administrator', () => {
  const readers = readersOf(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it.for(PAGE_NAMES)('reads the page %s', (name) =>
    lookAll(readers, name, (page) => browseTo(page, addressOf(name))),
  );
});

describe('a developer', () => {
  const readers = readersOf(() => signedIn(browsed.browser, browsed.url, DEVELOPER));

  it.for(DEVELOPERS_PAGES)('reads the page %s', (name) =>
    lookAll(readers, name, (page) => browseTo(page, addressOf(name))),
  );

  it('reads why a push would be refused', () =>
    lookAll(readers, 'push', async (page) => {
      await openWhole(page, addressOf('job'));
      await page
        .getByRole('main')
        .getByRole('button', { name: /Push|Pousser/ })
        .click();
      await requestsEnded(page);
    }));
});

describe('a newcomer', () => {
  const readers = readersOf(async () => {
    const visitor = await visit(browsed.browser, browsed.url);
    await visitor.page.goto('/login');
    return visitor;
  });

  it('reads the sign-in page', () =>
    lookAll(readers, 'sign-in', (page) => openWhole(page, '/login')));

  it('reads that the password has to be changed', () =>
    lookAll(readers, 'forced-password', async (page) => {
      const [username, password] = NEWCOMER;
      await page.locator('input[autocomplete=username]').fill(username);
      await page.locator('input[type=password]').fill(password);
      await page.locator('button[type=submit]').click();
      await page.locator('input[autocomplete=new-password]').first().waitFor();
      await requestsEnded(page);
    }));
});
