/**
 * The list kit in a browser, beside what web-lists.int.test.ts shows: saved filters, selections and
 * a page behind a dialog.
 */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { settled } from '../../support/browser.ts';
import { expectJobs, it, jobs, startLists } from '../web-lists.fixture.ts';

startLists();

describe('the filters', () => {
  it('are saved by a name, and chosen again by a click', async ({ page }) => {
    await page.goto('/staging?verdict=error&sort=image');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Unread images');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Unread images' }).waitFor();
    await page.goto('/staging');
    await page.getByRole('link', { name: 'Unread images' }).click();
    await expectJobs(page, 2);
    await expect.poll(() => new URL(page.url()).search).toBe('?verdict=error&sort=image');
    await page.getByRole('link', { name: 'Unread images' }).click();
    await expectJobs(page, 50);
    await page.getByRole('button', { name: 'Delete the filter Unread images' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Unread images' }).count()).toBe(0);
  });

  it('is where the overview leads to for blocked images', async ({ page }) => {
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'View: 3 images are blocked' }).click();
    await expectJobs(page, 3);
  });
});

describe('the page behind a dialog', () => {
  const top = (page: Page) => page.evaluate(() => window.scrollY);

  it('does not scroll, nor move, until the dialog is closed', async ({ page }) => {
    await page.goto('/staging');
    await expectJobs(page, 50);
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

  it('is deleted at once when the page is left', async ({ page }) => {
    await page.goto('/staging?q=acme/old&sort=created_at');
    await box(page, 'Select acme/old:4').click();
    await action(page, 'Delete').click();
    await page.getByText('1 job will be deleted.').waitFor();
    await page.goto('/staging?q=acme/old&sort=-created_at');
    await loaded(page).toBe('59 jobs');
  });

  it('may be all that match, also those that are not loaded', async ({ page }) => {
    await page.goto('/staging?q=acme/old');
    await box(page, 'Select all loaded rows').click();
    await bar(page).getByText('50 rows selected').waitFor();
    await action(page, 'Select all 59 that match').click();
    await bar(page).getByText('All 59 that match are selected').waitFor();
    await action(page, 'Delete').click();
    await page.getByText('59 jobs will be deleted.').waitFor();
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
