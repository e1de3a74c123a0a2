/** Selections and filters of tags, accounts, transfers, failed jobs and schedules in a browser. */
import { buildImage, openSql, pushImage } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy, withoutTimers } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, logIn } from '../../support/product.ts';
import { seedJobs } from '../../support/seeded-jobs.ts';

let browsed: BrowsedProduct;
let browser: Browser;

beforeAll(async () => {
  browsed = await browsedProduct({});
  browser = browsed.browser;
  await addDeveloper(browsed.product, ...DEVELOPER);
});

afterAll(() => browsed?.stop());

const it = visitedBy(() => signedIn(browser, browsed.product.url, ADMIN));

const jobs = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const count = (page: Page) => expect.poll(() => jobs(page).count());

describe('the tags of a repository', () => {
  it('are selected, and deleted after a time for undo', async ({ page }) => {
    const image = await buildImage({ layers: [{ file: 'content' }] });
    const [username, password] = ADMIN;
    for (const tag of ['1', '2', '3', 'latest'])
      await pushImage(browsed.product.url, 'team/many', tag, image, {
        credentials: { username, password },
      });
    await page.goto('/images/__local__/team/many');
    await count(page).toBe(4);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await page.getByRole('checkbox', { name: 'Select latest' }).click();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('3 rows selected').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 tags will be deleted.').waitFor();
    await page.getByText('1 tag', { exact: true }).waitFor();
    await page.reload();
    await count(page).toBe(1);
    await expect
      .poll(() => jobs(page).first().getByRole('button', { name: 'latest', exact: true }).count())
      .toBe(1);
  });

  it('are deleted with all that match the filter, also those that are not loaded', async ({
    page,
  }) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    const image = await buildImage({ layers: [{ file: 'of many tags' }] });
    const [username, password] = ADMIN;
    const credentials = { username, password };
    for (const tag of ['kept', ...Array.from({ length: 105 }, (_, n) => `old-${n}`)])
      await pushImage(browsed.product.url, 'team/matching', tag, image, { credentials });
    const path = '/api/images/__local__/tags?repository=team/matching';
    await page.goto('/images/__local__/team/matching');
    await page.getByLabel('Filter tags').fill('old-');
    await page.getByText('105 tags', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('100 rows selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 105 that match' }).click();
    await bar.getByText('All 105 that match are selected').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('105 tags will be deleted.').waitFor();
    const left = () => bodyOf(admin('GET', `${path}&limit=200`));
    await expect.poll(async () => (await left()).length).toBe(1);
    expect((await left())[0].tag).toBe('kept');
  });
});

describe('accounts', () => {
  const [first, last] = ['account-1', 'account-5'];
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
  const disabled = (page: Page) =>
    jobs(page).filter({ has: page.getByText('Disabled', { exact: true }) });

  it('are selected, and disabled after a time for undo', async ({ page }) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    for (let n = 1; n <= 5; n += 1)
      await admin('POST', '/api/auth/users', {
        ...{ username: `account-${n}`, password: `a long password ${n}` },
      });
    await page.goto('/settings/users');
    await page.getByRole('checkbox', { name: `Select ${first}` }).click();
    await page.getByRole('checkbox', { name: `Select ${last}` }).click({ modifiers: ['Shift'] });
    await bar(page).getByText('5 rows selected').waitFor();
    await expect
      .poll(() => bar(page).getByRole('button', { name: 'Enable' }).isDisabled())
      .toBe(true);
    await withoutTimers(page, async () => {
      await bar(page).getByRole('button', { name: 'Disable' }).click();
      await page.getByText('5 accounts will be disabled.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
    });
    await page.getByText('5 accounts will be disabled.').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: `Select ${first}` }).click();
    await page.getByRole('checkbox', { name: 'Select admin' }).click();
    await bar(page).getByRole('button', { name: 'Disable' }).click();
    // The account that is signed in is left out.
    await page.getByText('1 account will be disabled.').waitFor();
    await expect.poll(() => disabled(page).count()).toBe(1);
    await expect.poll(() => disabled(page).getByRole('button').allTextContents()).toEqual([first]);
  });

  it('are chosen with all that match, also those that are not loaded', async ({ page }) => {
    const sql = await openSql(await browsed.product.databaseUrl());
    await sql.query(
      `INSERT INTO users (id, username, username_key)
       SELECT gen_random_uuid(), name, name
         FROM generate_series(1, 60) n, concat('many-', n) name`,
    );
    await sql.end();
    await page.goto('/settings/users?q=many-');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByText('50 rows selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select all 60 that match' }).click();
    await bar(page).getByText('All 60 that match are selected').waitFor();
    await withoutTimers(page, async () => {
      await bar(page).getByRole('button', { name: 'Disable' }).click();
      await page.getByText('60 accounts will be disabled.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
    });
    await page.getByText('60 accounts will be disabled.').waitFor({ state: 'detached' });
    await expect.poll(() => disabled(page).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByRole('button', { name: 'Select all 60 that match' }).click();
    await bar(page).getByRole('button', { name: 'Enable' }).click();
    await page.getByText('None of the selected rows can be changed in this way.').waitFor();
  });
});

describe('transfers', () => {
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });

  beforeAll(async () => {
    const admin = await logIn(browsed.product, ...ADMIN);
    for (const name of ['one', 'two', 'three']) {
      const images = [{ repository: 'team/many', tag: name, dest_name: name }];
      const order = { images, source_registry_id: '__local__', dest_folder: 'team' };
      expect((await admin('POST', '/api/transfer', order)).status).toBe(202);
    }
  });

  it('are filtered and sorted by the address, and the filter is saved', async ({ page }) => {
    const address = expect.poll(() => new URL(page.url()).search);
    await page.goto('/transfers');
    await count(page).toBe(3);
    await page.getByRole('radio', { name: 'Cancelled' }).click();
    await page.getByText('No matching transfers').waitFor();
    await address.toBe('?state=cancelled');
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await count(page).toBe(3);
    await page.getByRole('searchbox', { name: 'Image, tag or registry' }).fill('two');
    await count(page).toBe(1);
    await page.getByRole('button', { name: 'Requested by' }).click();
    await page.getByText('1 transfer', { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=two&sort=owner');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Two by owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Two by owner' }).waitFor();
    await page.goto('/transfers');
    await page.getByRole('link', { name: 'Two by owner' }).click();
    await count(page).toBe(1);
  });

  it('are chosen with all that match, also those that are not loaded', async ({ page }) => {
    const sql = await openSql(await browsed.product.databaseUrl());
    await sql.query(
      `INSERT INTO transfers
       SELECT copy.*
         FROM transfers one, generate_series(1, 60) n,
              jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'n', n)) copy
        WHERE one.id = (SELECT id FROM transfers LIMIT 1)`,
    );
    await page.goto('/transfers');
    await page.getByText('63 transfers', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByText('50 rows selected').waitFor();
    await bar(page).getByRole('button', { name: 'Select all 63 that match' }).click();
    await bar(page).getByText('All 63 that match are selected').waitFor();
    await withoutTimers(page, async () => {
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('63 transfers will be deleted.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('63 transfers', { exact: true }).waitFor();
    });
    await sql.query(
      'DELETE FROM transfers t WHERE NOT EXISTS (SELECT FROM staging_jobs WHERE transfer_id = t.id)',
    );
    await sql.end();
  });

  it('are selected, and deleted after a time for undo', async ({ page }) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    await page.goto('/transfers?q=team');
    await count(page).toBe(3);
    const box = page.getByRole('checkbox', { name: /^Select (?!all)/ });
    await box.first().click();
    await box.nth(1).click({ modifiers: ['Shift'] });
    await bar(page).getByText('2 rows selected').waitFor();
    await withoutTimers(page, async () => {
      await bar(page).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('2 transfers will be deleted.').waitFor();
      await count(page).toBe(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await count(page).toBe(3);
    });
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 transfers will be deleted.').waitFor();
    await expect
      .poll(async () => (await bodyOf(admin('GET', '/api/transfer/jobs?q=team'))).length)
      .toBe(0);
  });
});

describe('the failed jobs', () => {
  it('that the overview counts are those where it leads to', async ({ page }) => {
    const owner = DEVELOPER[0];
    await seedJobs(
      browsed.product,
      { owner, count: 2, image: 'acme/gone', status: 'failed' },
      { owner, count: 1, image: 'acme/gone-before', status: 'failed', daysAgo: 1 },
      { owner, count: 1, image: 'acme/given-up', status: 'cancelled' },
    );
    await expect
      .poll(
        async () => {
          await page.goto('/dashboard');
          await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
          const name = 'View: 2 jobs requested in the last 24 hours have failed';
          return page.getByRole('link', { name }).count();
        },
        { interval: 3_000 },
      )
      .toBe(1);
    await page.getByRole('link', { name: /^View: 2 jobs/ }).click();
    await count(page).toBe(2);
    await expect.poll(() => new URL(page.url()).search).toBe('?show=failed&range=day');
    const shown = page.getByRole('radiogroup', { name: 'Show', exact: true });
    await expect.poll(() => shown.getByRole('radio', { name: 'Failed' }).isChecked()).toBe(true);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Requested', exact: true }).inputValue())
      .toBe('Last 24 hours');
    await shown.getByText('Cancelled', { exact: true }).click();
    await count(page).toBe(1);
    await page.setViewportSize({ width: 360, height: 740 });
  });
});

describe('schedules', () => {
  it('are shown beyond the first page, the newest first', async ({ page }) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    const images = [{ repository: 'team/many', tag: '1', dest_name: 'one' }];
    const order = { images, source_registry_id: '__local__', dest_folder: 'team' };
    const times = { name: 'the newest', cron: '30 2 * * 1', timezone: 'UTC', enabled: false };
    const { status } = await admin('POST', '/api/transfer/schedules', { ...order, ...times });
    expect(status).toBe(201);
    const sql = await openSql(await browsed.product.databaseUrl());
    await sql.query(
      `INSERT INTO transfer_schedules
       SELECT copy.*
         FROM transfer_schedules one, generate_series(1, 210) n,
              jsonb_populate_record(one, jsonb_build_object(
                'id', gen_random_uuid(), 'name', 'copy ' || n,
                'created_at', one.created_at - n * interval '1 minute')) copy`,
    );
    await sql.end();
    await page.goto('/transfers/schedules');
    await page.getByRole('link', { name: 'the newest' }).waitFor();
    // Of a long list only the visible rows are in the document.
    const listed = async () => {
      const known = await page.getByRole('table').getAttribute('aria-rowcount');
      return known === null ? jobs(page).count() : Number(known) - 1;
    };
    for (const shown of [50, 100, 150, 200]) {
      await expect.poll(listed).toBe(shown);
      await page.getByRole('button', { name: 'Show more' }).click();
    }
    await expect.poll(listed).toBe(211);
    await expect.poll(() => page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.mouse.wheel(0, 30_000);
    await page.getByRole('link', { name: 'copy 210', exact: true }).waitFor();
  });
});
