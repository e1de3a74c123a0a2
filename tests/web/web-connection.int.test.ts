/** The page without a connection, and after an upgrade, in a browser with the running product. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visitedBy, withoutTimers } from '../support/browser.ts';
import { addDeveloper, DEVELOPER } from '../support/developer.ts';

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
}, 300_000);
afterAll(() => browsed?.stop());

describe('a page without a connection', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('says so at once, and is live again by itself', async ({ page }) => {
    await page.clock.install();
    await page.goto('/staging');
    await page.getByText('Live', { exact: true }).waitFor();
    // Not after the time without a heartbeat, or before the next attempt.
    await withoutTimers(page, async () => {
      await page.context().setOffline(true);
      await page.getByText('No connection to the server').waitFor();
    });
    await expectWellMade(page, 'offline');
    await withoutTimers(page, async () => {
      await page.context().setOffline(false);
      await page.getByText('Live', { exact: true }).waitFor();
    });
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
  });

  it('opens a page that was not loaded yet once the connection is back', async ({ page }) => {
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Transfers' }).click();
    await page.getByRole('heading', { name: 'No connection to the server' }).waitFor();
    await expectWellMade(page, 'offline-page');
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Transfers', level: 1 }).waitFor();
  });

  it('shows what failed without the server once that is reached again', async ({ page }) => {
    // The browser itself stays online, and its window keeps the focus.
    const unreachable = /\/api\/(vulnerabilities|staging\/events)/;
    await page.route(unreachable, (route) => route.abort());
    await page.goto('/vulnerabilities');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute(unreachable);
    await page.getByRole('heading', { name: 'No vulnerabilities' }).waitFor();
  });
});

describe('after an upgrade', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  for (const kind of ['js', 'css'])
    it(`a removed ${kind} file asks for a reload`, async ({ page }) => {
      await page.goto('/staging');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.route(`**/assets/*.${kind}`, (route) => route.fulfill({ status: 404 }));
      await page.getByRole('link', { name: 'Registries' }).click();
      await page.getByRole('heading', { name: 'The server was upgraded' }).waitFor();
      if (kind === 'css') await expectWellMade(page, 'upgraded');
      await page.unroute(`**/assets/*.${kind}`);
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await page.getByRole('heading', { name: 'Registries', level: 1 }).waitFor();
    });
});
