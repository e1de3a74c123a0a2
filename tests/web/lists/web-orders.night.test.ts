/** Lists of accounts, repositories and tags in a browser, sorted by the API across their pages. */

import { openSql } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { sortBy } from '../../support/sorted-list.ts';

/** More than a page of each list has. */
const MANY = 120;

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  const sql = await openSql(await browsed.product.databaseUrl());
  await sql.query(`
    INSERT INTO users (id, username, username_key, auth_source, last_login_at)
    SELECT gen_random_uuid(), name, name, 'local', CASE WHEN n > 1 THEN now() - n * interval '1 day' END
      FROM generate_series(1, ${MANY}) n, LATERAL (SELECT 'user-' || lpad(n::text, 3, '0') AS name) named;
    INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
    SELECT 'shop/service-' || lpad(n::text, 3, '0'), 'shop', n, n * 1000000, now() - n * interval '1 day', now()
      FROM generate_series(1, ${MANY}) n;
    INSERT INTO local_repositories (name, namespace, tag_count, size, updated_at, seen_at)
    VALUES ('shop/tags', 'shop', ${MANY}, 0, now(), now());
    INSERT INTO local_manifests (repository, digest, media_type, size, total_size, platforms, pushed_at)
    SELECT 'shop/tags', 'sha256:' || md5(n::text) || md5(n::text), 'application/vnd.oci.image.manifest.v1+json', 1000, n * 1000000,
           '{linux/amd64}', now()
      FROM generate_series(1, ${MANY}) n;
    INSERT INTO local_tags (repository, tag, digest, updated_at)
    SELECT 'shop/tags', 'v' || lpad(n::text, 3, '0'), 'sha256:' || md5(n::text) || md5(n::text), now() - n * interval '1 day'
      FROM generate_series(1, ${MANY}) n`);
  await sql.end();
});
afterAll(() => browsed?.stop());

const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const names = (page: Page, role: 'button' | 'link', name: RegExp) =>
  rows(page).getByRole(role, { name }).allTextContents();

/** Scrolls through a list, of which only the visible rows are in the document. */
async function lastOf(page: Page, role: 'button' | 'link', name: RegExp): Promise<string> {
  await page.mouse.wheel(0, 20_000);
  return (await names(page, role, name)).at(-1) ?? '';
}

describe('accounts', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));
  const shown = (page: Page) => names(page, 'button', /^user-/);

  it('are sorted by their last login, also those of the pages that follow', async ({ page }) => {
    await page.goto('/settings/users');
    await expect.poll(async () => (await shown(page))[0]).toBe('user-001');
    await sortBy(page, 'Last sign-in');
    // The administrator of this test logged in last; user-001 never did.
    await expect.poll(async () => (await shown(page))[0]).toBe('user-002');
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=-last_login_at');
    await sortBy(page, 'Last sign-in');
    await expect
      .poll(async () => (await shown(page)).slice(0, 2))
      .toEqual(['user-001', `user-${MANY}`]);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows(page).count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => lastOf(page, 'button', /^(?:user-|admin)/)).toMatch(/^admin/);
  });

  it('keep the order in the address, with the search', async ({ page }) => {
    await page.goto('/settings/users?q=user-01&sort=-username');
    await expect.poll(async () => (await shown(page))[0]).toBe('user-019');
    const heading = page.getByRole('columnheader', { name: 'Username' });
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
  });
});

describe('repositories', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));
  const shown = (page: Page) => names(page, 'link', /^shop/);

  it('that are found are sorted by size on all pages', async ({ page }) => {
    await page.goto('/images?q=service');
    await expect.poll(async () => (await shown(page))[0]).toBe('shop/service-001');
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(async () => (await shown(page))[0]).toBe('shop/service-051');
    await sortBy(page, 'Size');
    await expect.poll(async () => (await shown(page))[0]).toBe(`shop/service-${MANY}`);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=service&sort=-size');
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(async () => (await shown(page))[0]).toBe('shop/service-070');
  });
});

describe('all repositories', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));
  const shown = (page: Page) => names(page, 'link', /^shop/);

  it('are a list as well, the one with the most tags first', async ({ page }) => {
    await page.goto('/images');
    await page.getByRole('tree').waitFor();
    await page.getByRole('radio', { name: 'List' }).click();
    await expect.poll(async () => (await shown(page))[0]).toBe('shop/service-001');
    await sortBy(page, 'Tags');
    await expect.poll(async () => (await shown(page))[0]).toBe(`shop/service-${MANY}`);
    await expect.poll(() => new URL(page.url()).search).toBe('?view=list&sort=-tag_count');
    await page.getByRole('radio', { name: 'Folders' }).click();
    await page.getByRole('tree').waitFor();
  });

  it('are chosen for a transfer: the first hundred, and others by a search', async ({ page }) => {
    await page.goto('/transfers/new');
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'Built-in registry' }).click();
    await page.getByRole('button', { name: 'Select from registry…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Select repositories' });
    await dialog.getByText('These are the first 100.').waitFor();
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(100);
    await dialog.getByRole('searchbox').fill(`service-${MANY}`);
    await dialog.getByRole('checkbox', { name: `shop/service-${MANY}` }).waitFor();
    await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(1);
    await expect.poll(() => dialog.getByText('These are the first').count()).toBe(0);
  });
});

describe('tags', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));
  const shown = (page: Page) => names(page, 'button', /^v\d+$/);

  it('are sorted by size and by name, also those of the pages that follow', async ({ page }) => {
    await page.goto('/images/__local__/shop/tags');
    await expect.poll(async () => (await shown(page))[0]).toBe('v001');
    await sortBy(page, 'Size');
    await expect.poll(async () => (await shown(page))[0]).toBe(`v${MANY}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => lastOf(page, 'button', /^v\d+$/)).toBe('v001');
    await page.mouse.wheel(0, -20_000);
    await sortBy(page, 'Tag');
    await expect.poll(async () => (await shown(page))[0]).toBe('v001');
    await sortBy(page, 'Tag');
    await expect.poll(async () => (await shown(page))[0]).toBe(`v${MANY}`);
  });

  it('have a menu of actions that belongs to the main part of the page', async ({ page }) => {
    await page.goto('/images/__local__/shop/tags?q=v05');
    await page.getByRole('button', { name: 'Actions for v050', exact: true }).click();
    await page.getByRole('main').getByRole('menuitem', { name: 'Delete tag…' }).waitFor();
  });

  it('listen once for a preference for reduced motion, however many there are', async ({
    page,
    visitor,
  }) => {
    await page.addInitScript(() => {
      const { addEventListener } = EventTarget.prototype;
      MediaQueryList.prototype.addEventListener = function (...given: [string, EventListener]) {
        if (this.media.includes('motion')) document.documentElement.dataset.listened += '+';
        addEventListener.apply(this, given);
      };
    });
    await page.goto('/images/__local__/shop/tags');
    await expect.poll(() => rows(page).count()).toBeGreaterThan(50);
    await expect.poll(() => page.locator('html').getAttribute('data-listened')).toBe('undefined+');
    for (const reducedMotion of ['reduce', 'no-preference'] as const)
      await page.emulateMedia({ reducedMotion });
    expect(visitor.faults).toEqual([]);
  });

  it('keep filter and order while one is opened and closed', async ({ page }) => {
    await page.goto('/images/__local__/shop/tags?q=v05&sort=-tag');
    await expect.poll(async () => (await shown(page))[0]).toBe('v059');
    await expect.poll(() => page.getByLabel('Filter tags').inputValue()).toBe('v05');
    await rows(page).getByRole('button', { name: 'v059', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?tag=v059&q=v05&sort=-tag');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => shown(page)).toHaveLength(10);
  });
});
