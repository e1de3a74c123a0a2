/** What each form sends once all its fields are filled, and which faults of fields it shows. */
import { describe, expect } from 'vitest';
import { signedIn, visitedBy } from '../../support/browser.ts';
import type { ExampleProduct } from '../../support/example-product.ts';
import { fillForm, sentBy } from '../../support/filled-form.ts';
import { FORMS, openForm } from '../../support/forms.ts';
import { wordsOf } from '../../support/page-words.ts';
import { ACCOUNTS, portionsOf } from '../../support/readers.ts';

/**
 * @param browsed of the example product, which no form changes: what it sends is refused before the
 *   server has it
 * @param goldens the directory of what is sent, from the file of the test
 */
export function sentForms(browsed: () => ExampleProduct, goldens: string): void {
  describe('a filled form sends each of its fields', () => {
    const it = visitedBy(() => signedIn(browsed().browser, browsed().url, ACCOUNTS.admin));

    it.for(portionsOf(Object.keys(FORMS)))('$title', async ({ names }, { page }) => {
      for (const name of names) {
        const opened = await openForm(page, browsed().pages, { name, words: await wordsOf('en') });
        await fillForm(opened.shown, opened.filling);
        const sent = await sentBy(page, opened.shown);
        const golden = `${goldens}/${name.replaceAll(/\W+/g, '-')}.txt`;
        await expect(`${JSON.stringify(sent, null, 2)}\n`).toMatchFileSnapshot(golden);
        await page.unrouteAll();
      }
    });
  });
}
