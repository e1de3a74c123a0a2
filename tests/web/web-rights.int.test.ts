/** The matrix of permissions in a browser, with more folders and groups than fit. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visitedBy } from '../support/browser.ts';
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
}, 300_000);
afterAll(() => browsed?.stop());

const grid = (page: Page) => page.getByRole('grid', { name: 'Permissions of groups on folders' });
const columns = (page: Page) => grid(page).getByRole('columnheader').allInnerTexts();

describe('an administrator with many groups', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('reads rows of the same height, whatever the description', async ({ page }) => {
    await page.goto('/settings/folders');
    const box = await grid(page).getByRole('row', { name: /shop/ }).boundingBox();
    expect(box?.height).toBeLessThan(90);
    await expectWellMade(page, 'rights');
  });

  it('reads in words what a permission means where the focus or the pointer is', async ({
    page,
  }) => {
    await page.getByText('Use the arrow keys to move').waitFor();
    await page.getByRole('button', { name: 'shop, data: Push', exact: true }).focus();
    await page.getByText('shop, data: Push · Push, tag and delete images of this').waitFor();
    await page.getByRole('button', { name: 'shop, data: Pull', exact: true }).hover();
    await page.getByText('shop, data: Pull · View and pull images of this folder').waitFor();
    await page.getByRole('heading', { level: 1 }).hover();
    await page.getByText('shop, data: Push · Push, tag and delete images of this').waitFor();
    await page.getByLabel('Filter groups').focus();
    await page.getByText('Use the arrow keys to move').waitFor();
  });

  it('filters the groups, and keeps unsaved changes of hidden ones', async ({ page }) => {
    await page.getByRole('button', { name: 'shop, data: Push', exact: true }).click();
    await page.getByLabel('Filter groups').fill('plat');
    await expect.poll(() => columns(page)).toEqual(['Folder', 'Platform']);
    await page.getByText('1 unsaved change').waitFor();
    await expectWellMade(page, 'rights-filtered');
    await page.getByLabel('Filter groups').fill('nobody');
    await page.getByText('No matching groups.').waitFor();
    await page.getByLabel('Filter groups').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The permissions were saved.').waitFor();
    const saved = page.getByRole('button', { name: 'shop, data: Push', exact: true });
    expect(await saved.getAttribute('aria-pressed')).toBe('true');
  });
});
