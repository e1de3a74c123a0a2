/**
 * Every page is shown to an administrator without a fault, is accessible in one language, scheme
 * and width, and none scrolls sideways at 360 px; every form sends what is filled in. Contrasts,
 * the pages of other accounts, the states that scenes.ts opens, and each page in all languages,
 * schemes and widths, are in web-every-page.night.test.ts.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { WITHOUT_CONTRAST } from '../../support/axe.ts';
import {
  DESKTOP,
  expectAccessible,
  expectNoSideways,
  expectWellMade,
  NO_FAULTS,
  PHONE,
  resize,
  signedIn,
  visit,
  visitedBy,
} from '../../support/browser.ts';
import { FEW } from '../../support/example-data.ts';
import {
  browseTo,
  ELSEWHERE,
  type ExampleProduct,
  exampleProduct,
  openWhole,
} from '../../support/example-product.ts';
import { ACCOUNTS, addReaders, NEWCOMER, pagesReadBy } from '../../support/readers.ts';
import { sentForms } from '../forms/sent-forms.ts';

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct(FEW);
  await addReaders(browsed);
});
afterAll(() => browsed?.stop());

function addressOf(name = ''): string {
  const address = browsed.pages[name];
  if (address === undefined) throw new Error(`there is no page ${name}`);
  return address;
}

/** With each portion of the pages another one: together each two values once. */
const LOOKS = [
  { language: 'en', colorScheme: 'light' },
  { language: 'de', colorScheme: 'dark' },
  { language: 'fr', colorScheme: 'light' },
  { language: 'en', colorScheme: 'dark' },
  { language: 'de', colorScheme: 'light' },
  { language: 'fr', colorScheme: 'dark' },
] as const;

const portions = pagesReadBy('admin').map((portion, nth) => ({
  ...portion,
  look: LOOKS[nth % LOOKS.length],
}));

describe.for(portions)('an administrator reads $title', ({ names, look }) => {
  const it = visitedBy(
    () => signedIn(browsed.browser, browsed.url, ACCOUNTS.admin, look),
    NO_FAULTS,
  );

  it(`in ${look?.language}, ${look?.colorScheme}`, async ({ page }) => {
    for (const [nth, name] of names.entries()) {
      const opensOnPhone = nth % 2 === 1;
      await browseTo(page, ELSEWHERE);
      await page.setViewportSize(opensOnPhone ? PHONE : DESKTOP);
      await browseTo(page, addressOf(name));
      await expectAccessible(page, name, WITHOUT_CONTRAST);
      if (!opensOnPhone) await resize(page, PHONE);
      await expectNoSideways(page, name);
    }
  });
});

sentForms(() => browsed, '../forms/sent');

describe('a newcomer', () => {
  const it = visitedBy(() => visit(browsed.browser, browsed.url));

  it('reads the sign-in page, and then that the password has to be changed', async ({ page }) => {
    await openWhole(page, '/login');
    await expectWellMade(page, 'sign-in');
    const [username, password] = NEWCOMER;
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Incorrect username or password.').waitFor();
    await expectAccessible(page, 'sign-in-refused');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('input[autocomplete=new-password]').first().waitFor();
    await expectWellMade(page, 'forced-password');
    await expect.poll(() => page.getByRole('navigation').count()).toBe(0);
  });
});
