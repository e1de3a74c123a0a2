/** The product with example data on every page, for screenshots and for tests of all pages. */
import { serveVulnerabilityDb, startRegistry } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { type BrowsedProduct, browsedProduct, UNHURRIED } from './browsed-product.ts';
import { requestsEnded } from './browser.ts';
import { type Amounts, addExampleData } from './example-data.ts';
import { pagesOf } from './pages.ts';

/** Requests that go on, and images of a page. */
const SKELETON = '.mantine-Skeleton-root, [aria-busy=true]';

export interface ExampleProduct extends BrowsedProduct {
  /** Addresses, by the names of pages.ts. */
  pages: Record<string, string>;
}

export async function exampleProduct(amounts?: Amounts): Promise<ExampleProduct> {
  await using begun = new AsyncDisposableStack();
  const upstream = begun.use(await startRegistry());
  const database = await serveVulnerabilityDb(upstream.url);
  const browsed = begun.adopt(
    await browsedProduct({
      TRIVY_DB_REPOSITORY: database,
      EGRESS_ALLOW: upstream.host,
      ...UNHURRIED,
    }),
    (running) => running.stop(),
  );
  const pages = pagesOf(await addExampleData(browsed.product, upstream, amounts));
  const all = begun.move();
  return { ...browsed, pages, stop: () => all.disposeAsync() };
}

/** Opens a page, and waits until all of it has come. */
export async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await whole(page);
}

/** No page: only its heading is shown. */
export const ELSEWHERE = '/nothing-here';

/**
 * As `openWhole`, but as links lead from page to page, without another load of the scripts. By way
 * of elsewhere: between two addresses of one component the heading would stay.
 */
export async function browseTo(page: Page, address: string): Promise<void> {
  if (page.url() === 'about:blank') await page.goto(ELSEWHERE);
  for (const next of new Set([ELSEWHERE, address]))
    if (!page.url().endsWith(next)) await follow(page, next);
  await whole(page);
}

/** Waits for the heading of the next page. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((next) => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = '';
    history.pushState(null, '', next);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.locator('h1:not([data-left])').first().waitFor();
}

async function whole(page: Page): Promise<void> {
  await page.locator(SKELETON).first().waitFor({ state: 'detached' });
  await requestsEnded(page);
}
