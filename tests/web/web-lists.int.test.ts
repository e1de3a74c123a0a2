/** The job list with hundreds of jobs: its filters, orders, saved filters and selections. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { seedJobs } from '../support/seeded-jobs.ts';

let browsed: BrowsedProduct;
let browser: Browser;

beforeAll(async () => {
  browsed = await browsedProduct({});
  browser = browsed.browser;
  await addDeveloper(browsed.product, ...DEVELOPER);
  const [admin, dev] = [ADMIN[0], DEVELOPER[0]];
  await seedJobs(
    browsed.product,
    { owner: admin, count: 60, image: 'acme/old', status: 'failed', daysAgo: 40 },
    { owner: dev, count: 3, image: 'acme/blocked', verdict: 'blocked' },
    { owner: dev, count: 2, image: 'acme/unread', verdict: 'error' },
    { owner: admin, count: 2, image: 'acme/clean' },
  );
}, 300_000);

afterAll(() => browsed?.stop());

const it = visitedBy(() => signedIn(browser, browsed.product.url, ADMIN));

const jobs = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const count = (page: Page) => expect.poll(() => jobs(page).count(), { timeout: 20_000 });
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the filters', () => {
  it('by verdict, account and time are in the address, and survive a reload', async ({ page }) => {
    await page.goto('/staging');
    await choose(page, 'Verdict', 'Scan failed');
    await count(page).toBe(2);
    expect(new URL(page.url()).search).toBe('?verdict=error');
    await choose(page, 'Verdict', 'Blocked by policy');
    await count(page).toBe(3);
    await page.getByRole('combobox', { name: 'Requested by' }).fill('adm');
    await page.getByRole('option', { name: 'admin' }).click();
    await page.getByText('No matching jobs').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await choose(page, 'Requested', 'Last 7 days');
    await count(page).toBe(7);
    await page.reload();
    await count(page).toBe(7);
    await expectWellMade(page, 'staging-filters');
  });

  it('are saved by a name, and chosen again by a click', async ({ page }) => {
    await page.goto('/staging?verdict=error&sort=image');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unread images');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Unread images' }).waitFor();
    await page.goto('/staging');
    await page.getByRole('link', { name: 'Unread images' }).click();
    await count(page).toBe(2);
    expect(new URL(page.url()).search).toBe('?verdict=error&sort=image');
    await expectWellMade(page, 'staging-saved-filter');
    await page.getByRole('link', { name: 'Unread images' }).click();
    await count(page).toBe(50);
    await page.getByRole('button', { name: 'Delete the filter Unread images' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Unread images' }).count()).toBe(0);
  });

  it('is where the overview leads to for blocked images', async ({ page }) => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'View: 3 images are blocked' }).click();
    await count(page).toBe(3);
  });
});

describe('the order', () => {
  const first = (page: Page) => jobs(page).first().getByRole('link').textContent();

  it('is chosen by the headings, kept in the address, and goes on in the next pages', async ({
    page,
  }) => {
    await page.goto('/staging');
    await count(page).toBe(50);
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(() => first(page)).toBe('acme/blocked:3');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(() => first(page)).toBe('acme/unread:2');
    expect(new URL(page.url()).search).toBe('?sort=-image');
    const heading = page.getByRole('columnheader', { name: 'Image' });
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Show more' }).click();
    await count(page).toBe(67);
    expect(await jobs(page).last().getByRole('link').textContent()).toBe('acme/blocked:1');
  });
});
