/** The matrix of permissions in a browser, with more folders and groups than fit. */
import { openSql } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { logIn } from '../support/product.ts';

const GROUPS = ['Platform', 'backend', 'data', 'frontend', 'mobile', 'operations', 'quality'];
const LONG = 'Images of the shop, its checkout, its search and its reports. '.repeat(4).trim();

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  ({ browser } = browsed);
  ({ url } = browsed.product);
  const admin = await logIn(browsed.product, ...ADMIN);
  for (const name of GROUPS)
    expect((await admin('POST', '/api/groups', { name })).status).toBe(201);
  const folder = { name: 'shop', description: LONG };
  expect((await admin('POST', '/api/folders', folder)).status).toBe(201);
});
afterAll(() => browsed?.stop());

const grid = (page: Page) => page.getByRole('grid', { name: 'Permissions of groups on folders' });
const columns = (page: Page) => grid(page).getByRole('columnheader').allInnerTexts();

describe('an administrator with many groups', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('reads what each permission means, filters the groups, and keeps unsaved changes', async ({
    page,
  }) => {
    // The administrator reads rows of the same height, whatever the description.
    await page.goto('/settings/folders');
    const box = await grid(page).getByRole('row', { name: /shop/ }).boundingBox();
    expect(box?.height).toBeLessThan(90);
    // The administrator reads in words what a permission means where the focus or the pointer is.
    await page.getByText('Use the arrow keys to move').waitFor();
    await page.getByRole('button', { name: 'shop, data: Push', exact: true }).focus();
    await page.getByText('shop, data: Push · Push, tag and delete images of this').waitFor();
    await page.getByRole('button', { name: 'shop, data: Pull', exact: true }).hover();
    await page.getByText('shop, data: Pull · View and pull images of this folder').waitFor();
    await page.getByRole('heading', { level: 1 }).hover();
    await page.getByText('shop, data: Push · Push, tag and delete images of this').waitFor();
    await page.getByLabel('Filter groups').focus();
    await page.getByText('Use the arrow keys to move').waitFor();
    // The administrator comes from the top of the page to the check of permissions.
    await page.getByRole('button', { name: 'Check permissions' }).click();
    const account = page.getByRole('combobox', { name: 'Account' });
    await expect
      .poll(() => account.evaluate((field) => field === document.activeElement))
      .toBe(true);
    const isInView = async () => {
      const { y = -1 } = (await account.boundingBox()) ?? {};
      return y > 0 && y < 800;
    };
    await expect.poll(isInView).toBe(true);
    await page.keyboard.press('Escape');
    // The administrator filters the groups, and keeps unsaved changes of hidden ones.
    await page.getByRole('button', { name: 'shop, data: Push', exact: true }).click();
    await page.getByLabel('Filter groups').fill('plat');
    await expect.poll(() => columns(page)).toEqual(['Folder', 'Platform']);
    await page.getByText('1 unsaved change').waitFor();
    await page.getByLabel('Filter groups').fill('nobody');
    await page.getByText('No matching groups.').waitFor();
    await page.getByLabel('Filter groups').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The permissions were saved.').waitFor();
    const saved = page.getByRole('button', { name: 'shop, data: Push', exact: true });
    await expect.poll(() => saved.getAttribute('aria-pressed')).toBe('true');
  });
});

describe('an administrator with unsaved permissions', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));
  const push = (page: Page) =>
    page.getByRole('button', { name: 'shop, mobile: Push', exact: true });
  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
  const answer = (page: Page, name: string) =>
    question(page).getByRole('button', { name, exact: true });
  const toElsewhere = (page: Page) => page.getByRole('link', { name: 'Vulnerabilities' }).click();

  it('is asked before the sidebar leads elsewhere', async ({ page }) => {
    await page.goto('/settings/folders');
    await push(page).click();
    await toElsewhere(page);
    await answer(page, 'Stay').click();
    await question(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain('/settings/folders');
    await expect.poll(() => push(page).getAttribute('aria-pressed')).toBe('true');
    await toElsewhere(page);
    await answer(page, 'Leave').click();
    await page.waitForURL('**/vulnerabilities');
  });

  it('finds what was saved afterwards, and leaves that without a question', async ({ page }) => {
    await page.goto('/settings/folders');
    await push(page).waitFor();
    await expect.poll(() => push(page).getAttribute('aria-pressed')).toBe('false');
    await toElsewhere(page);
    await page.waitForURL('**/vulnerabilities');
    await expect.poll(() => question(page).count()).toBe(0);
  });
});

describe('an administrator with hundreds of folders and groups', () => {
  const MANY = 300;
  const LAST = 'z-folder-300, z-group-300: Push to other registries';
  /** The window shows about ten rows of seven groups. */
  const MOST_ELEMENTS = 6_000;
  const it = visitedBy(() => signedIn(browser, url, ADMIN));
  const cell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const elements = (page: Page) => page.locator('*').count();
  const focused = (page: Page) => page.locator(':focus').getAttribute('aria-label');

  async function scrollTo(page: Page, by: [x: number, y: number], name: string): Promise<void> {
    await expect
      .poll(async () => {
        await grid(page).getByRole('columnheader', { name: 'Folder' }).hover();
        await page.mouse.wheel(...by);
        expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
        return cell(page, name).isVisible();
      })
      .toBe(true);
  }

  beforeAll(async () => {
    const sql = await openSql(await browsed.product.databaseUrl());
    await sql.query(`
      INSERT INTO groups (id, name) SELECT gen_random_uuid(), 'z-group-' || lpad(n::text, 3, '0') FROM generate_series(1, ${MANY}) n;
      INSERT INTO folders (id, name) SELECT gen_random_uuid(), 'z-folder-' || lpad(n::text, 3, '0') FROM generate_series(1, ${MANY}) n`);
    await sql.end();
  });

  it('reaches the end of both, also by the keyboard, with only those in view in the document', async ({
    page,
  }) => {
    // The administrator has only those in view in the document, to the end of both.
    await page.goto('/settings/folders');
    await grid(page).waitFor();
    expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
    await scrollTo(page, [20_000, 20_000], LAST);
    // The administrator reaches each of them by the keyboard, and changes the last one.
    await page.reload();
    await cell(page, 'shop, Platform: Pull').focus();
    await page.keyboard.press('PageDown');
    await expect.poll(() => focused(page)).toBe('z-folder-300, Platform: Pull');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe(LAST);
    await page.keyboard.press('Space');
    await page.getByText('1 unsaved change').waitFor();
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toBe('z-folder-300, Platform: Pull');
    // The switch with the focus stays in the document where it is scrolled out of view.
    await scrollTo(page, [20_000, -20_000], 'shop, z-group-300: Pull');
    expect(await focused(page)).toBe('z-folder-300, Platform: Pull');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The permissions were saved.').waitFor();
  });
});
