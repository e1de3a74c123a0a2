/** The product with example data on every page, for screenshots and for tests of all pages. */
import { serveVulnerabilityDb, startRegistry } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { type BrowsedProduct, browsedProduct } from './browsed-product.ts';
import { requestsEnded } from './browser.ts';
import { addExampleData } from './example-data.ts';
import { pagesOf } from './pages.ts';

/** Requests that go on, and images of a page. */
const SKELETON = '.mantine-Skeleton-root, [aria-busy=true]';

export interface ExampleProduct extends BrowsedProduct {
  /** Addresses, by the names of pages.ts. */
  pages: Record<string, string>;
}

export async function exampleProduct(): Promise<ExampleProduct> {
  await using begun = new AsyncDisposableStack();
  const upstream = begun.use(await startRegistry());
  const database = await serveVulnerabilityDb(upstream.url);
  const browsed = begun.adopt(
    await browsedProduct({ TRIVY_DB_REPOSITORY: database, EGRESS_ALLOW: upstream.host }),
    (running) => running.stop(),
  );
  const pages = pagesOf(await addExampleData(browsed.product, upstream));
  const all = begun.move();
  return { ...browsed, pages, stop: () => all.disposeAsync() };
}

/** Opens a page, and waits until all of it has come. */
export async function openWhole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator(SKELETON).first().waitFor({ state: 'detached' });
  await requestsEnded(page);
}
