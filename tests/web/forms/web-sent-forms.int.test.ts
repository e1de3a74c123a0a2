/** What each form sends once all its fields are filled, and which faults of fields it shows. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { type ExampleProduct, exampleProduct } from '../../support/example-product.ts';
import { fillForm, sentBy } from '../../support/filled-form.ts';
import { FORMS, openForm } from '../../support/forms.ts';
import { wordsOf } from '../../support/page-words.ts';
import { ACCOUNTS } from '../../support/readers.ts';

let browsed: ExampleProduct;

beforeAll(async () => {
  browsed = await exampleProduct();
});
afterAll(() => browsed?.stop());

describe('a filled form sends each of its fields', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ACCOUNTS.admin));

  it.for(Object.keys(FORMS))('%s', async (name, { page }) => {
    const opened = await openForm(page, browsed.pages, { name, words: await wordsOf('en') });
    await fillForm(opened.shown, opened.filling);
    const sent = await sentBy(page, opened.shown);
    const golden = `sent/${name.replaceAll(/\W+/g, '-')}.txt`;
    await expect(`${JSON.stringify(sent, null, 2)}\n`).toMatchFileSnapshot(golden);
  });
});
