/** The filters of lists in a browser, and what pickers offer: kept in the address, and saved. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { eventually, openSql } from '@portcullis/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  blockedReport,
  cleanReport,
  reportWith,
} from '../../../apps/api/src/registry/gate/report.fixture.ts';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { onPhone, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';

/** More than a picker offers. */
const MANY = 60;

let browsed: BrowsedProduct;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await addDeveloper(browsed.product, ...DEVELOPER);
  const databaseUrl = await browsed.product.databaseUrl();
  store = openStore(databaseUrl, sealer(Buffer.alloc(32)));
  sql = await openSql(databaseUrl);
  await fillAccounts();
  await fillTags();
  await fillWaivers();
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await browsed?.stop();
});

async function fillAccounts(): Promise<void> {
  await sql.query(`
    INSERT INTO users (id, username, username_key, auth_source)
    SELECT gen_random_uuid(), name, name, 'local'
      FROM generate_series(1, ${MANY}) n, LATERAL (SELECT 'user-' || lpad(n::text, 3, '0') AS name) named`);
  const admin = await logIn(browsed.product, ...ADMIN);
  for (const name of ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'])
    await admin('POST', '/api/groups', { name });
  for (const name of ['shop', 'bank', 'post', 'rail', 'road', 'port', 'zone'])
    await admin('POST', '/api/folders', { name });
}

const digestOf = (n: number) => `sha256:${n.toString(16).padStart(64, '0')}`;

/** The first two were scanned, and the worker judges them. */
async function fillTags(): Promise<void> {
  for (let n = 1; n <= MANY; n++) {
    const place = { repository: 'team/app', tag: `v${n}`, digest: digestOf(n) };
    await store.images.record({ ...place, manifests: [], at: new Date(Date.UTC(2026, 0, n)) });
  }
  const elsewhere = { repository: 'shop/app', tag: '1', digest: digestOf(900) };
  await store.images.record({ ...elsewhere, manifests: [], at: new Date() });
  const other = reportWith([{ id: 'CVE-2026-7777', severity: 'LOW' }]);
  for (const [n, report] of [
    [1, blockedReport()],
    [2, cleanReport()],
    [900, other],
  ] as const)
    await store.reports.record({ digest: digestOf(n), report, scannedAt: new Date() });
  const judged = 'SELECT 1 FROM image_standings WHERE passes IS NOT NULL';
  await eventually(
    async () => (await sql.query(judged)).rowCount,
    (count) => count === 3,
  );
}

async function fillWaivers(): Promise<void> {
  const day = 86_400_000;
  for (const [username, vulnerability, days] of [
    [DEVELOPER[0], 'CVE-2026-0001', 5],
    ['user-007', 'CVE-2026-0002', 60],
  ] as const) {
    const requester = await store.users.findByUsername(username);
    await store.waivers.insertWaiver({
      ...{ vulnerability, package: null, packageVersion: null, repository: null, digest: null },
      ...{ folder: 'team', status: 'accepted', justification: null, reason: 'r', ticket: null },
      ...{ vexDocument: null, requestedById: requester?.id ?? '' },
      expiresAt: new Date(Date.now() + days * day),
    });
  }
  await sql.query(
    `UPDATE waivers SET created_at = now() - interval '9 days' WHERE vulnerability = 'CVE-2026-0002'`,
  );
}

const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const search = (page: Page) => new URL(page.url()).search;
const chosen = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const shownOf = (page: Page, role: 'button' | 'link', name: RegExp) => () =>
  rows(page).getByRole(role, { name }).allTextContents();

async function choose(page: Page, field: string | Locator, option: string): Promise<void> {
  await (typeof field === 'string' ? chosen(page, field) : field).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save filter…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name, exact: true }).waitFor();
}

const byAdmin = () => visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

describe('the tags of a repository', () => {
  const it = byAdmin();
  const shown = (page: Page) => shownOf(page, 'button', /^v\d+$/);

  it('are filtered by verdict, in the address, and counted so', async ({ page }) => {
    await page.goto('/images/__local__/team/app');
    await choose(page, 'Verdict', 'Blocked');
    await expect.poll(shown(page)).toEqual(['v1']);
    await expect.poll(() => search(page)).toBe('?standing=blocked');
    await page.getByText('1 tag', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'v1', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await expect.poll(() => search(page)).toBe('?standing=blocked');
    await choose(page, 'Verdict', 'Allowed by waivers');
    await page.getByText('No matching tags.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByText(`${MANY} tags`, { exact: true }).waitFor();
  });

  it('are selected as far as they match', async ({ page }) => {
    await page.goto('/images/__local__/team/app?standing=unscanned&q=v2');
    await page.getByText('10 tags', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('10 rows selected').waitFor();
  });

  it('are sorted by verdict, the blocked ones first', async ({ page }) => {
    await page.goto('/images/__local__/team/app');
    await page.getByRole('columnheader').getByRole('button', { name: 'Verdict' }).click();
    await expect.poll(async () => (await shown(page)())[0]).toBe('v1');
    await expect.poll(() => search(page)).toBe('?sort=standing');
  });

  it('have saved filters, for each repository', async ({ page }) => {
    await page.goto('/images/__local__/team/app?q=v1&standing=blocked');
    await save(page, 'Red');
    await page.goto('/images/__local__/team/app');
    await page.getByRole('link', { name: 'Red', exact: true }).click();
    await expect.poll(() => search(page)).toBe('?q=v1&standing=blocked');
    await onPhone(page, 'tags-by-verdict-phone', async () => {
      await page.getByRole('link', { name: 'Red', exact: true }).waitFor();
    });
  });
});

describe('the list of repositories, and that of accounts,', () => {
  const it = byAdmin();

  it('have saved filters', async ({ page }) => {
    await page.goto('/images?q=app&sort=-size&page=2');
    await save(page, 'Apps');
    await page.goto('/images');
    await page.getByRole('link', { name: 'Apps', exact: true }).click();
    await expect.poll(() => search(page)).toBe('?q=app&sort=-size');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goto('/settings/users?q=user-01&sort=-username');
    await save(page, 'Teens');
    await page.goto('/settings/users');
    await page.getByRole('link', { name: 'Teens', exact: true }).click();
    await expect.poll(() => search(page)).toBe('?q=user-01&sort=-username');
    await expect.poll(() => rows(page).count()).toBe(10);
    await expect.poll(() => page.getByRole('link', { name: 'Apps', exact: true }).count()).toBe(0);
  });
});

describe('waivers', () => {
  const it = byAdmin();
  const shown = (page: Page) => shownOf(page, 'button', /^CVE/);

  it('are filtered by requester and date, in the address', async ({ page }) => {
    await page.goto('/waivers');
    await expect.poll(async () => (await shown(page)()).length).toBe(2);
    await chosen(page, 'Requested by').click();
    await page.getByText('These are the first 20. Search for others by name.').waitFor();
    await chosen(page, 'Requested by').fill('user-007');
    await page.getByRole('option', { name: 'user-007' }).click();
    await expect.poll(shown(page)).toEqual(['CVE-2026-0002']);
    await expect.poll(() => search(page)).toBe('?requester=user-007');
    await choose(page, 'Requested', 'Requested: Last 7 days');
    await page.getByRole('heading', { name: 'No matching waivers' }).waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
    await choose(page, 'End', 'Ends within 7 days');
    await expect.poll(shown(page)).toEqual(['CVE-2026-0001']);
    await expect.poll(() => search(page)).toBe('?ends=week');
    await page.reload();
    await expect.poll(shown(page)).toEqual(['CVE-2026-0001']);
  });
});

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, DEVELOPER));

  it('is offered no folder that may not be read, and finds nothing of it', async ({ page }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: 'CVE-2026-1234' }).waitFor();
    await expect.poll(() => chosen(page, 'Folder').count()).toBe(0);
    await page.goto('/vulnerabilities?folder=shop');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });

  it('types the name of a requester', async ({ page }) => {
    await page.goto('/waivers');
    await page.getByRole('searchbox', { name: 'Requested by' }).fill(DEVELOPER[0]);
    await expect.poll(shownOf(page, 'button', /^CVE/)).toEqual(['CVE-2026-0001']);
  });
});

describe('vulnerabilities', () => {
  const it = byAdmin();

  it('are filtered by folder, in the address', async ({ page }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: 'CVE-2026-1234' }).waitFor();
    await choose(page, 'Folder', 'shop');
    await page.getByRole('link', { name: 'CVE-2026-1234' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'CVE-2026-7777' }).waitFor();
    await expect.poll(() => search(page)).toBe('?folder=shop');
    await page.reload();
    await expect.poll(() => chosen(page, 'Folder').inputValue()).toBe('shop');
  });
});

describe('the matrix of permissions', () => {
  const it = byAdmin();
  const heads = (page: Page) => () =>
    page.getByRole('grid').getByRole('columnheader').allInnerTexts();

  it('keeps its filters in the address', async ({ page }) => {
    await page.goto('/settings/folders');
    await page.getByLabel('Filter groups').fill('alp');
    await page.getByLabel('Filter folders').fill('shop');
    await expect.poll(() => search(page)).toBe('?q=shop&groups=alp');
    await page.reload();
    await expect.poll(heads(page)).toEqual(['Folder', 'alpha']);
    await expect.poll(() => page.getByRole('grid').getByRole('rowheader').count()).toBe(1);
  });
});

describe('a picker that can not offer all says so:', () => {
  const it = byAdmin();

  it('the tags of a comparison', async ({ page }) => {
    await page.goto('/images/__local__/-/compare?repository=team/app&from=v1&to=v2');
    const field = page.getByRole('combobox', { name: 'Tag' }).first();
    await field.click();
    const offer = page.getByRole('listbox');
    await offer.getByText('These are the first 50. Search for others by name.').waitFor();
    await expect.poll(() => offer.getByRole('option').count()).toBe(50);
    await field.fill('v59');
    await expect.poll(() => offer.getByRole('option').allTextContents()).toEqual(['v59']);
    await offer.getByText('These are the first').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('the accounts of the check of permissions', async ({ page }) => {
    await page.goto('/settings/folders');
    const field = page.getByRole('combobox', { name: 'Account' });
    await field.click();
    await page.getByText('These are the first 20.').waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(20);
    await field.fill('user-05');
    await page.getByRole('option', { name: 'user-050' }).waitFor();
    await page.getByText('These are the first').waitFor({ state: 'detached' });
  });

  it('the images of the built-in registry', async ({ page }) => {
    await sql.query(`
      INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
      SELECT 'bank/service-' || n, 'bank', 1, 0, now(), now() FROM generate_series(1, 30) n`);
    await page.goto('/staging/new');
    await page.getByText('Saved registry', { exact: true }).click();
    await choose(page, 'Registry', 'Built-in registry');
    const field = page.getByRole('combobox', { name: 'Image' });
    await field.fill('service');
    await page.getByText('These are the first 25. Search for others by name.').waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(25);
    await field.fill('service-30');
    await page.getByText('These are the first').waitFor({ state: 'detached' });
  });
});
