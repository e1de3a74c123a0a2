/**
 * Every smaller dialog asks before it discards what was typed, and only then. The larger ones are
 * in settings/unsaved.ts.
 */
import { buildImage, pushImage } from '@portcullis/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, logIn, type Product } from '../../support/product.ts';

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await addDeveloper(browsed.product, ...DEVELOPER);
  await fill(browsed.product);
});
afterAll(() => browsed?.stop());

/** An image, a robot, and a folder with retention. */
async function fill(product: Product): Promise<void> {
  const [username, password] = ADMIN;
  const image = await buildImage({ layers: [{ base: 'of a test' }] });
  await pushImage(product.url, 'team/app', '1.0', image, { credentials: { username, password } });
  const admin = await logIn(product, ...ADMIN);
  const robot = { name: 'ci', description: '', owner_group_id: null, group_ids: [] };
  const made = await admin('POST', '/api/robots', { ...robot, can_bypass_vuln_block: false });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const folders = (await bodyOf(admin('GET', '/api/folders'))) as { id: string; name: string }[];
  const team = folders.find(({ name }) => name === 'team');
  const retention = { keep_newest: 5, keep_days: null, keep: [] };
  const kept = await admin('PATCH', `/api/folders/${team?.id}`, { retention });
  expect(kept.status, JSON.stringify(kept.body)).toBe(200);
}

const button = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

interface Form {
  /** What it edits, for the name of the test. */
  subject: string;
  address: string;
  open: string;
  title: string;
  field: string;
  /** Chosen in the menu that `open` opens. */
  item?: string;
  /** What is typed, if not a word. */
  typed?: string;
}

const MORE_FORMS: readonly Form[] = [
  {
    ...{ subject: 'a new robot', address: '/settings/robots', open: 'New robot' },
    ...{ title: 'New robot', field: 'Description' },
  },
  {
    ...{ subject: 'a trust rule', address: '/settings/robots', open: 'New trust rule' },
    ...{ title: 'New trust rule', field: 'Audience' },
  },
  {
    ...{ subject: 'a new group', address: '/settings/groups', open: 'New group' },
    ...{ title: 'New group', field: 'Description' },
  },
  {
    ...{ subject: 'a new folder', address: '/settings/folders', open: 'New folder' },
    ...{ title: 'New folder', field: 'Description' },
  },
  {
    ...{ subject: 'a folder', address: '/folders/team', open: 'Edit' },
    ...{ title: 'team', field: 'Description' },
  },
  {
    ...{ subject: 'retention', address: '/folders/team', open: 'Change' },
    ...{ title: 'Retention of tags', field: 'Newest tags to keep', typed: '7' },
  },
  {
    ...{ subject: 'a new policy', address: '/settings/policies', open: 'New policy' },
    ...{ title: 'New policy', field: 'Name' },
  },
  {
    ...{ subject: 'a new token', address: '/settings/account', open: 'New token' },
    ...{ title: 'New token', field: 'Name' },
  },
  {
    ...{ subject: 'an import', address: '/waivers', open: 'Import OpenVEX' },
    ...{ title: 'Import an OpenVEX document', field: 'Days until the end', typed: '30' },
  },
  {
    ...{ subject: 'a list of images', address: '/transfers/new', open: 'Paste list…' },
    ...{ title: 'Paste list', field: 'Images' },
  },
  {
    ...{ subject: 'a copy', address: '/images/__local__/team/app', open: 'Actions for 1.0' },
    ...{ item: 'Copy to…', title: 'Copy team/app:1.0', field: 'Name' },
  },
  {
    ...{ subject: 'a new tag', address: '/images/__local__/team/app', open: 'Actions for 1.0' },
    ...{ item: 'Add a tag…', title: 'Add a tag to team/app:1.0', field: 'New tag' },
  },
];

describe('the smaller dialog of', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it.for(MORE_FORMS)('$subject asks only with changes', async (form, { page }) => {
    const shown = dialog(page, form.title);
    const field = shown.getByLabel(form.field).first();
    const question = dialog(page, 'Leave without saving?');
    const typed = form.typed ?? 'changed';
    const open = async () => {
      await button(page.getByRole('main'), form.open).first().click();
      if (form.item) await page.getByRole('menuitem', { name: form.item }).click();
      await field.waitFor();
    };
    await page.goto(form.address);
    await open();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await open();
    await field.fill(typed);
    await page.keyboard.press('Escape');
    await button(question, 'Stay').click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => field.inputValue()).toBe(typed);
    await button(shown, 'Cancel').last().click();
    await button(question, 'Leave').click();
    await shown.waitFor({ state: 'detached' });
  });

  it('repositories of a registry asks only with a choice', async ({ page }) => {
    const shown = dialog(page, 'Select repositories');
    const question = dialog(page, 'Leave without saving?');
    await page.goto('/transfers/new');
    await page.getByRole('combobox', { name: 'From' }).click();
    await page.getByRole('option', { name: 'Built-in registry' }).click();
    // The page below has unsaved changes, this dialog has none.
    await button(page, 'Select from registry…').click();
    const box = shown.getByRole('checkbox', { name: 'team/app' });
    await box.waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await button(page, 'Select from registry…').click();
    await box.check();
    await page.keyboard.press('Escape');
    await button(question, 'Stay').click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => box.isChecked()).toBe(true);
    await button(shown, 'Add 1 repository').click();
    await shown.waitFor({ state: 'detached' });
    await expect.poll(() => question.count()).toBe(0);
  });

  it('a robot does not ask when Escape closes a list in it', async ({ page }) => {
    await page.goto('/settings/robots');
    await button(page, 'New robot').click();
    const shown = dialog(page, 'New robot');
    await shown.getByLabel('Description').fill('changed');
    await shown.getByRole('combobox').first().click();
    await page.getByRole('option', { name: 'developers' }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    await expect.poll(() => dialog(page, 'Leave without saving?').count()).toBe(0);
    await expect.poll(() => shown.count()).toBe(1);
  });
});
