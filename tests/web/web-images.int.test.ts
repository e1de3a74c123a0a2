/**
 * Images, registries and transfers in a browser, with the running product and a second registry.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { UNHURRIED } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, logIn } from '../support/product.ts';
import {
  browser,
  choose,
  dialog,
  product,
  pushKept,
  row,
  startImagePages,
  upstream,
} from './web-images.fixture.ts';

startImagePages(UNHURRIED);

describe('a developer and images', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), /status of 40[34]/);

  it('adds a tag, copies, deletes only the tag, and the repository by its name', async ({
    page,
  }) => {
    await page.goto('/images/__local__/team/app');
    await choose(page, '1.0.0', 'Add a tag…');
    await dialog(page, /Add a tag/)
      .getByRole('textbox', { name: 'New tag' })
      .fill('stable');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'stable', exact: true }).waitFor();
    await choose(page, 'stable', 'Copy to…');
    const copy = dialog(page, 'Copy team/app:stable');
    await copy.getByRole('textbox', { name: 'Name' }).fill('copied');
    await copy.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('team/copied:stable was created.').waitFor();
    await choose(page, 'stable', 'Delete tag…');
    await dialog(page, /Delete tag/)
      .getByRole('button', { name: 'Delete tag' })
      .click();
    await page.getByRole('button', { name: 'stable', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '1.0.0', exact: true }).waitFor();
    await page.goto('/images/__local__/team/copied');
    await page.getByRole('button', { name: 'Repository actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete repository…' }).click();
    const removal = dialog(page, 'Delete repository?');
    const button = removal.getByRole('button', { name: 'Delete repository' });
    await removal.getByRole('textbox').fill('team/copie');
    await expect.poll(() => button.isDisabled()).toBe(true);
    await removal.getByRole('textbox').fill('team/copied');
    await button.click();
    await page.getByRole('treeitem', { name: /^team/ }).click();
    await page.getByRole('treeitem', { name: /^app/ }).waitFor();
    await page.getByRole('treeitem', { name: /^copied/ }).waitFor({ state: 'detached' });
  });
});

describe('a developer and transfers', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), /status of 422/);

  beforeAll(async () => {
    const developer = await logIn(product, ...DEVELOPER);
    const supplier = { name: 'Supplier', host: upstream.host, use_tls: false };
    await bodyOf(developer('POST', '/api/registries', supplier));
  });

  async function build(page: Page): Promise<void> {
    await page.goto('/transfers/new');
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: /Supplier/ }).click();
    await page.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'team' }).click();
    await page.getByRole('button', { name: 'Paste list…' }).click();
    await dialog(page, 'Paste list')
      .getByRole('textbox')
      .fill('acme/tool:7 # the tool\nacme/app:^1.0');
    await page.getByRole('button', { name: 'Add 2 lines' }).click();
    await page.getByRole('textbox', { name: 'Newest' }).fill('2');
    await page.getByText('2 tags match: 1.2.0, 1.1.0').waitFor();
  }

  async function run(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Transfer/ }).click();
    await page.getByText('3 of 3 pushed').waitFor();
    await page.getByText('Done', { exact: true }).waitFor();
  }

  it('plans, runs and watches; the second run copies and sends nothing', async ({ page }) => {
    await build(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Transfer 3 images' }).waitFor();
    await run(page);
    await build(page);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('All images already exist at the destination.').waitFor();
    await run(page);
    await page.getByText(/^0 bytes? sent/).waitFor();
    await page.goto('/transfers');
    await row(page, 'Supplier → Built-in registry').nth(1).waitFor();
  });
});

describe('an administrator and immutable tags', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN), NO_FAULTS);

  it('reads which ones a deletion of many kept', async ({ page }) => {
    await pushKept();
    await page.goto('/images/__local__/kept/app');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByText(/^2 tags were kept, because the folder makes them immutable: v[12], v[12]$/)
      .waitFor();
    await row(page, 'v1').waitFor();
    await row(page, 'latest').waitFor({ state: 'detached' });
  });
});
