/**
 * The list kit in a browser, at the list of jobs: filters, orders, saved filters and selections.
 * Other lists are in lists/*.night.test.ts. The settings share its product: a start of one takes
 * longer than either.
 */
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { UNHURRIED } from '../support/browsed-product.ts';
import { expectFocused, withoutTimers } from '../support/browser.ts';
import { settingsOfEachKind } from './settings/each-kind.ts';
import { expectJobs, it, jobs, startLists } from './web-lists.fixture.ts';

const site = startLists({ ...UNHURRIED, TRIVY_ENABLED: 'false' });

const choose = async (page: Page, field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

describe('the filters', () => {
  it('by verdict, account and time are in the address, and survive a reload', async ({ page }) => {
    await page.goto('/staging');
    await choose(page, 'Verdict', 'Scan failed');
    await expectJobs(page, 2);
    await expect.poll(() => new URL(page.url()).search).toBe('?verdict=error');
    await choose(page, 'Verdict', 'Blocked by policy');
    await expectJobs(page, 3);
    await page.getByRole('combobox', { name: 'Requested by' }).fill('adm');
    await page.getByRole('option', { name: 'admin' }).click();
    await page.getByText('No matching jobs').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await choose(page, 'Requested', 'Last 7 days');
    await expectJobs(page, 7);
    await page.reload();
    await expectJobs(page, 7);
  });
});

describe('the order', () => {
  const first = (page: Page) => jobs(page).first().getByRole('link').textContent();

  it('is chosen by the headings, kept in the address, and goes on in the next pages', async ({
    page,
  }) => {
    await page.goto('/staging');
    await expectJobs(page, 50);
    const heading = page.getByRole('columnheader', { name: 'Image' });
    const direction = () => heading.getAttribute('aria-sort');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(direction).toBe('ascending');
    await expect.poll(() => first(page)).toBe('acme/blocked:3');
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await expect.poll(direction).toBe('descending');
    await expect.poll(() => first(page)).toBe('acme/unread:2');
    await expectJobs(page, 50);
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=-image');
    await page.getByRole('button', { name: 'Show more' }).press('Enter');
    await expectJobs(page, 67);
    await expectFocused(jobs(page).nth(50).getByRole('link'));
    await expect
      .poll(() => jobs(page).last().getByRole('link').textContent())
      .toBe('acme/blocked:1');
  });
});

describe('a selection', () => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
  const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
  const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });

  it('is deleted after a time for undo', async ({ page }) => {
    await page.goto('/staging?q=acme/old&sort=created_at');
    await expectJobs(page, 50);
    await box(page, 'Select acme/old:1').click();
    await withoutTimers(page, async () => {
      await action(page, 'Delete').click();
      await page.getByText('1 job will be deleted.').waitFor();
      await expectJobs(page, 49);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expectJobs(page, 50);
    });
    await box(page, 'Select acme/old:1').click();
    await box(page, 'Select acme/old:3').click({ modifiers: ['Shift'] });
    await action(page, 'Delete').click();
    await page.getByText('57 jobs').waitFor();
    const first = jobs(page).first().getByRole('link');
    await expect.poll(() => first.textContent()).toBe('acme/old:4');
  });
});

describe('the settings', () => {
  settingsOfEachKind(site);
});
