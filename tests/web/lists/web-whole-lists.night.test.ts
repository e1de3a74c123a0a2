/** Lists that a page loads whole, sorted by their headings in a browser. */

import { openSql } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { logIn } from '../../support/product.ts';
import { sortBy } from '../../support/sorted-list.ts';

/** More than are in the document at once. */
const MANY = 150;

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await addGroupsAndFolders();
  const admin = await logIn(browsed.product, ...ADMIN);
  for (const name of ['mirror-2', 'mirror-10', 'hub']) {
    const registry = { name, host: `${name}.example.com`, username: name, password: 'secret-1' };
    expect((await admin('POST', '/api/registries', registry)).status).toBe(201);
    const robot = await admin('POST', '/api/robots', { name });
    const token = { name: 'build', scope: 'api' };
    if (name === 'hub') await admin('POST', `/api/robots/${robot.body.id}/tokens`, token);
  }
});
afterAll(() => browsed?.stop());

async function addGroupsAndFolders(): Promise<void> {
  const sql = await openSql(await browsed.product.databaseUrl());
  await sql.query(`
    INSERT INTO groups (id, name) SELECT gen_random_uuid(), 'team-' || n FROM generate_series(1, ${MANY}) n;
    INSERT INTO folders (id, name) SELECT gen_random_uuid(), 'team-' || n FROM generate_series(1, ${MANY}) n;
    INSERT INTO group_members (group_id, user_id)
    SELECT groups.id, users.id FROM groups, users WHERE groups.name = 'team-77' AND username = '${ADMIN[0]}'`);
  await sql.end();
}

/** Behind the checkboxes of lists that have them. */
const NAME =
  'tbody tr:not([aria-hidden] *) > :is(td:first-child:not(:has(input)), td:has(input) + td)';

const firstNames = async (page: Page) =>
  (await page.locator(NAME).allInnerTexts()).slice(0, 3).map((text) => text.split('\n')[0]?.trim());

describe('a list that is loaded whole', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN), NO_FAULTS);
  const firstAre = (page: Page, names: string[]) =>
    expect.poll(() => firstNames(page)).toEqual(names);

  it('of groups is sorted, keeps its order in the address, and has only its visible rows in the document', async ({
    page,
  }) => {
    // A list that is loaded whole of groups has those with the most members first.
    await page.goto('/settings/groups');
    await firstAre(page, ['team-1', 'team-2', 'team-3']);
    await sortBy(page, 'Members');
    await firstAre(page, ['team-77', 'team-1', 'team-2']);
    // A list that is loaded whole keeps the order in the address.
    await expect.poll(() => new URL(page.url()).search).toBe('?sort=-members');
    await page.reload();
    await firstAre(page, ['team-77', 'team-1', 'team-2']);
    // A list that is loaded whole has only its visible rows in the document.
    // The first hundred are there until the script of long tables has come.
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(MANY / 2);
    await page.getByText(`team-${MANY}`, { exact: true }).waitFor({ state: 'detached' });
    await page.mouse.move(640, 400);
    await page.mouse.wheel(0, 30_000);
    await page.getByText(`team-${MANY}`, { exact: true }).waitFor();
  });

  it('of folders keeps order and filter in the address', async ({ page }) => {
    await page.goto('/folders');
    await firstAre(page, ['team-1', 'team-2', 'team-3']);
    await sortBy(page, 'Folder');
    await firstAre(page, ['team-150', 'team-149', 'team-148']);
    await page.getByRole('searchbox', { name: 'Filter folders' }).fill('team-1');
    await page.getByText('team-77', { exact: true }).waitFor({ state: 'detached' });
    await page.reload();
    await firstAre(page, ['team-150', 'team-149', 'team-148']);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=team-1&sort=-name');
  });

  it('of registries is sorted by name, with numbers by value', async ({ page }) => {
    await page.goto('/registries');
    await firstAre(page, ['hub', 'mirror-2', 'mirror-10']);
    await sortBy(page, 'Name');
    await firstAre(page, ['mirror-10', 'mirror-2', 'hub']);
  });

  it('of robots has those with the most tokens first', async ({ page }) => {
    await page.goto('/settings/robots');
    await sortBy(page, 'Name');
    await firstAre(page, ['mirror-10', 'mirror-2', 'hub']);
    await sortBy(page, 'Tokens');
    await firstAre(page, ['hub', 'mirror-2', 'mirror-10']);
  });
});
