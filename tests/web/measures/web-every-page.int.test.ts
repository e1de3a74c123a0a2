/**
 * Every page is shown to an administrator without a fault and is accessible, in English, and none
 * scrolls sideways at 360 px; every form sends what is filled in. Contrasts, the pages of other
 * accounts, the states that scenes.ts opens, dark mode, and all languages and widths, are in
 * web-every-page.night.test.ts.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { WITHOUT_CONTRAST } from '../../support/axe.ts';
import {
  expectAccessible,
  expectWellMade,
  NO_FAULTS,
  onPhone,
  signedIn,
  visit,
  visitedBy,
} from '../../support/browser.ts';
import {
  browseTo,
  type ExampleProduct,
  exampleProduct,
  openWhole,
} from '../../support/example-product.ts';
import { ACCOUNTS, addReaders, NEWCOMER, pagesReadBy } from '../../support/readers.ts';
import { sentForms } from '../forms/sent-forms.ts';

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct();
  await addReaders(browsed);
});
afterAll(() => browsed?.stop());

function addressOf(name = ''): string {
  const address = browsed.pages[name];
  if (address === undefined) throw new Error(`there is no page ${name}`);
  return address;
}

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ACCOUNTS.admin), NO_FAULTS);

  it.for(pagesReadBy('admin'))('reads $title', async ({ names }, { page }) => {
    for (const name of names) {
      await browseTo(page, addressOf(name));
      await expectAccessible(page, name, WITHOUT_CONTRAST);
      await onPhone(page, name);
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
