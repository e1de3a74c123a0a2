/** The retention of a folder on its page, in a browser with the running product. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, speak, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';

const DAY_MS = 86_400_000;

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let store: Store;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  for (const [tag, days] of [
    ['new', 1],
    ['v1', 90],
    ['old', 40],
    ['older', 50],
  ] as const) {
    const at = new Date(Date.now() - days * DAY_MS);
    const digest = `sha256:${Buffer.from(tag).toString('hex').padStart(64, '0')}`;
    await store.images.record({ repository: 'team/app', tag, digest, manifests: [], at });
  }
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('previews a rule before it is saved, and reads it in words', async ({ page }) => {
    await page.goto('/folders/team');
    const panel = page.getByRole('region', { name: 'Retention' });
    await panel.getByText('Every tag is kept.').waitFor();
    await panel.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retention of tags' });
    await dialog.getByRole('switch', { name: 'Remove old tags' }).check();
    await dialog.getByLabel('Newest tags to keep').fill('1');
    await dialog.getByText('Would remove 3 tags now, and keep 1 tag in 1 repository.').waitFor();
    await dialog.getByText('team/app:older').waitFor();
    await dialog.getByLabel('Tags to keep always').fill('v*');
    await dialog.getByLabel('Tags to keep always').press('Enter');
    await dialog.getByText('Would remove 2 tags now, and keep 2 tags in 1 repository.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const sentence =
      /^Keeps the newest tag of each repository, tags of the last 30 days,? and tags that match v\*\. /;
    await panel.getByText(sentence).waitFor();
    expect((await store.folders.get('team')).retention).toEqual({
      ...{ keepNewest: 1, keepDays: 30, keep: ['v*'] },
    });
  });

  it('learns of a pattern that does not parse', async ({ page }) => {
    await page.goto('/folders/team');
    const panel = page.getByRole('region', { name: 'Retention' });
    await panel.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retention of tags' });
    await dialog.getByLabel('Tags to keep always').fill('{x');
    await dialog.getByLabel('Tags to keep always').press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('“{x” is not a valid pattern.').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('starts it after a confirmation, and reads what the run did', async ({ page }) => {
    await page.goto('/folders/team');
    const panel = page.getByRole('region', { name: 'Retention' });
    await panel.getByRole('button', { name: 'Run now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove tags now?' });
    await dialog.getByText('Would remove 2 tags now').waitFor();
    await dialog.getByRole('button', { name: 'Remove tags' }).click();
    // The registry has none of these tags, so that the index follows it.
    await panel.getByText(/Last run .*0 tags removed/).waitFor();
  });

  it.for(['de', 'fr'])('previews it in %s', async (language, { page }) => {
    await page.goto('/folders/team');
    await speak(page, language);
    await page.reload();
    const panel = page.getByRole('region', { name: /Aufbewahrung|Rétention/ });
    await panel.getByRole('button', { name: /Ändern|Modifier/ }).click();
    await page.getByRole('region', { name: /Vorschau|Aperçu/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('reads the rule, and can neither change nor run it', async ({ page }) => {
    await page.goto('/folders/team');
    const panel = page.getByRole('region', { name: 'Retention' });
    await panel.getByText(/^Keeps the newest tag/).waitFor();
    await expect.poll(() => panel.getByRole('button').count()).toBe(0);
  });
});
