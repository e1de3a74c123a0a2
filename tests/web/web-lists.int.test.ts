/**
 * The list kit in a browser, at the list of jobs: filters, orders, saved filters and selections.
 * Other lists are in lists/*.night.test.ts.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectFocused, settled, signedIn, visitedBy, withoutTimers } from '../support/browser.ts';
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
});

afterAll(() => browsed?.stop());

const it = visitedBy(() => signedIn(browser, browsed.product.url, ADMIN));

const jobs = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const count = (page: Page) => expect.poll(() => jobs(page).count());
const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the filters', () => {
  it('by verdict, account and time are in the address, and survive a reload', async ({ page }) => {
    await page.goto('/staging');
    await choose(page, 'Verdict', 'Scan failed');
    await count(page).toBe(2);
    await expect.poll(() => new URL(page.url()).search).toBe('?verdict=error');
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
    await expect.poll(() => new URL(page.url()).search).toBe('?verdict=error&sort=image');
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
    const heading = page.getByRole('columnheader', { name: 'Image' });
    const direction = () => heading.getAttribute('aria-sort');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(direction).toBe('ascending');
    await expect.poll(() => first(page)).toBe('acme/blocked:3');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(direction).toBe('descending');
    await expect.poll(() => first(page)).toBe('acme/unread:2');
    await count(page).toBe(50);
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=-image');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await count(page).toBe(67);
    await expectFocused(jobs(page).nth(50).getByRole('link'));
    await expect
      .poll(() => jobs(page).last().getByRole('link').textContent())
      .toBe('acme/blocked:1');
  });
});

describe('the page behind a dialog', () => {
  const top = (page: Page) => page.evaluate(() => window.scrollY);

  it('does not scroll, nor move, until the dialog is closed', async ({ page }) => {
    await page.goto('/staging');
    await count(page).toBe(50);
    await settled(page);
    const place = await jobs(page).nth(3).boundingBox();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.mouse.move(700, 790);
    await page.mouse.wheel(0, 2_000);
    expect(await jobs(page).nth(3).boundingBox()).toEqual(place);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await top(page)).toBe(0);
    await page.mouse.wheel(0, 2_000);
    await expect.poll(() => top(page)).toBeGreaterThan(100);
  });
});

describe('a selection', () => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
  /** The number after a reload: requests of a page that was left arrive after its successor's. */
  const loaded = (page: Page) =>
    expect.poll(async () => {
      await page.reload();
      await page.getByText(/^\d+ jobs$/).waitFor();
      return page.getByText(/^\d+ jobs$/).textContent();
    });
  const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });

  it('grows with Shift and by Space, and is read out', async ({ page }) => {
    await page.goto('/staging?q=acme/old&sort=created_at');
    await box(page, 'Select acme/old:2').click();
    await box(page, 'Select acme/old:6').click({ modifiers: ['Shift'] });
    await page.getByRole('status').filter({ hasText: '5 rows selected' }).waitFor();
    await page.getByRole('link', { name: 'acme/old:9', exact: true }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('status').filter({ hasText: '6 rows selected' }).waitFor();
    await expect.poll(() => page.getByRole('row', { selected: true }).count()).toBe(6);
    await bar(page).waitFor();
    const sizes = await page
      .locator('tbody label')
      .evaluateAll((labels) =>
        labels.map((label) => Math.min(label.clientWidth, label.clientHeight)),
      );
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
  });

  it('is deleted after a time for undo', async ({ page }) => {
    await page.goto('/staging?q=acme/old&sort=created_at');
    await count(page).toBe(50);
    await box(page, 'Select acme/old:1').click();
    await withoutTimers(page, async () => {
      await action(page, 'Delete').click();
      await page.getByText('1 job will be deleted.').waitFor();
      await count(page).toBe(49);
      await page.getByRole('button', { name: 'Undo' }).click();
      await count(page).toBe(50);
    });
    await box(page, 'Select acme/old:1').click();
    await box(page, 'Select acme/old:3').click({ modifiers: ['Shift'] });
    await action(page, 'Delete').click();
    await page.getByText('57 jobs').waitFor();
    const first = jobs(page).first().getByRole('link');
    await expect.poll(() => first.textContent()).toBe('acme/old:4');
  });

  it('is deleted at once when the page is left', async ({ page }) => {
    await page.goto('/staging?q=acme/old&sort=created_at');
    await box(page, 'Select acme/old:4').click();
    await action(page, 'Delete').click();
    await page.getByText('1 job will be deleted.').waitFor();
    await page.goto('/staging?q=acme/old&sort=-created_at');
    await loaded(page).toBe('56 jobs');
  });

  it('may be all that match, also those that are not loaded', async ({ page }) => {
    await page.goto('/staging?q=acme/old');
    await box(page, 'Select all loaded rows').click();
    await bar(page).getByText('50 rows selected').waitFor();
    await action(page, 'Select all 56 that match').click();
    await bar(page).getByText('All 56 that match are selected').waitFor();
    await action(page, 'Delete').click();
    await page.getByText('56 jobs will be deleted.').waitFor();
    await page.getByText('No matching jobs').waitFor();
    await page.goto('/staging');
    await loaded(page).toBe('7 jobs');
  });

  it('says which jobs an action left as they are, and why', async ({ page }) => {
    await page.goto('/staging?q=acme/blocked');
    await box(page, 'Select all loaded rows').click();
    await expect.poll(() => action(page, 'Cancel').isDisabled()).toBe(true);
    await page.route('**/api/staging/jobs/bulk', async (route) => {
      const body = { ...route.request().postDataJSON(), action: 'cancel' };
      await route.continue({ postData: JSON.stringify(body) });
    });
    await action(page, 'Retry').click();
    await page.getByText('3 jobs will run again.').waitFor();
    await page.getByText('Done: 0 rows. Not done: 3 rows.').waitFor();
    await page.getByText('3: This job has already finished.').waitFor();
    await page.unroute('**/api/staging/jobs/bulk');
  });
});
