/** Forms with unsaved changes: dialogs ask before they close, and a reload keeps a draft. */
import { buildImage, pushImage } from '@portcullis/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { expectWellMade, signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { logIn, type Product } from '../../support/product.ts';

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await addDeveloper(browsed.product, ...DEVELOPER);
  await fill(browsed.product);
}, 300_000);
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
  const folders = (await admin('GET', '/api/folders')).body as { id: string; name: string }[];
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

const FORMS: readonly Form[] = [
  {
    ...{ subject: 'a new account', address: '/settings/users', open: 'New user' },
    ...{ title: 'New user', field: 'Username' },
  },
  {
    ...{ subject: 'an account', address: '/settings/users', open: DEVELOPER[0] },
    ...{ title: DEVELOPER[0], field: 'E-mail' },
  },
  {
    ...{ subject: 'a registry', address: '/registries', open: 'Add registry' },
    ...{ title: 'Add registry', field: 'Name' },
  },
  {
    ...{ subject: 'a webhook', address: '/settings/webhooks', open: 'New webhook' },
    ...{ title: 'New webhook', field: 'Name' },
  },
];

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
    expect(await field.inputValue()).toBe(typed);
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
    expect(await box.isChecked()).toBe(true);
    await button(shown, 'Add 1 repository').click();
    await shown.waitFor({ state: 'detached' });
    expect(await question.count()).toBe(0);
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
    expect(await dialog(page, 'Leave without saving?').count()).toBe(0);
    expect(await shown.count()).toBe(1);
  });
});

describe('the settings of', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it.for([
    ['the network', '/settings/network', 'From'],
    ['single sign-on', '/settings/sign-on', 'Issuer URL'],
    ['scans', '/settings/scan', 'Scan timeout'],
  ] as const)(
    '%s ask before they are left, and before the page is closed',
    async ([, address, label], { page }) => {
      await page.goto(address);
      const field = page.getByLabel(label, { exact: true }).first();
      await field.fill('123');
      await page.getByRole('link', { name: 'Registries' }).click();
      await button(dialog(page, 'Leave without saving?'), 'Stay').click();
      expect(await field.inputValue()).toContain('123');
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      await page.getByRole('link', { name: 'Registries' }).click();
      await button(dialog(page, 'Leave without saving?'), 'Leave').click();
      await page.waitForURL('**/registries');
    },
  );
});

describe('the form of a pull', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));

  it('asks before a link leaves it with an image', async ({ page }) => {
    const image = page.getByRole('combobox', { name: 'Image' });
    await page.goto('/staging/new');
    await image.fill('library/nginx:1.27');
    await page.getByRole('link', { name: 'Registries' }).click();
    await button(page, 'Stay').click();
    expect(await image.inputValue()).toContain('library/nginx');
    await page.getByRole('link', { name: 'Registries' }).click();
    await button(page, 'Leave').click();
    await page.waitForURL('**/registries');
  });
});

describe('the dialog of', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it.for(FORMS)('$subject closes at once without changes', async (form, { page }) => {
    await page.goto(form.address);
    await button(page.getByRole('main'), form.open).first().click();
    const shown = dialog(page, form.title);
    await shown.getByLabel(form.field).first().waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });

  it.for(FORMS)('$subject asks before it discards changes', async (form, { page }) => {
    await page.goto(form.address);
    await button(page.getByRole('main'), form.open).first().click();
    const shown = dialog(page, form.title);
    const field = shown.getByLabel(form.field).first();
    const question = dialog(page, 'Leave without saving?');
    await field.fill('changed');
    await page.keyboard.press('Escape');
    await button(question, 'Stay').waitFor();
    await expectWellMade(page, `unsaved-${form.title.replaceAll(' ', '-')}`);
    // The key answers the question alone.
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('changed');
    await button(shown, 'Cancel').last().click();
    await button(question, 'Stay').click();
    await question.waitFor({ state: 'detached' });
    await page.mouse.click(5, 400);
    await button(question, 'Leave').click();
    await shown.waitFor({ state: 'detached' });
    await button(page.getByRole('main'), form.open).first().click();
    expect(await field.inputValue()).not.toBe('changed');
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
  });

  it('an account closes without a question once it is saved', async ({ page }) => {
    await page.goto('/settings/users');
    await button(page.getByRole('main'), DEVELOPER[0]).click();
    const shown = dialog(page, DEVELOPER[0]);
    await shown.getByLabel('E-mail').fill('dev@example.com');
    await button(shown, 'Save').click();
    await page.getByText('dev@example.com').first().waitFor();
    await shown.waitFor({ state: 'detached' });
    expect(await dialog(page, 'Leave without saving?').count()).toBe(0);
    await page.getByRole('link', { name: 'Registries' }).click();
    await page.waitForURL('**/registries');
  });
});

describe('a new schedule', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });
  const repository = (page: Page) => page.getByRole('textbox', { name: 'Repository' });
  const words = 'At 04:15, only on Tuesday';

  it('keeps its draft over a reload', async ({ page }) => {
    await page.goto('/transfers/schedules/new');
    await name(page).fill('Nightly');
    await page.getByLabel('Enabled').uncheck();
    await page.getByRole('combobox', { name: 'Frequency' }).click();
    await page.getByRole('option', { name: 'Cron expression' }).click();
    await page.getByRole('textbox', { name: 'Cron expression' }).fill('15 4 * * 2');
    await button(page, 'Add line').click();
    await repository(page).fill('library/nginx');
    await page.getByText(words, { exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => name(page).inputValue()).toBe('Nightly');
    expect(await page.getByLabel('Enabled').isChecked()).toBe(false);
    // It is shown by its parts where it has a common form.
    await page.getByText(words, { exact: true }).waitFor();
    const frequency = page.getByRole('combobox', { name: 'Frequency' });
    expect(await frequency.inputValue()).toBe('Every week');
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('04:15');
    const days = page.getByRole('group', { name: 'Days of the week' });
    expect(await days.getByRole('checkbox', { name: 'Tue' }).isChecked()).toBe(true);
    expect(await days.getByRole('checkbox', { checked: true }).count()).toBe(1);
    expect(await repository(page).inputValue()).toBe('library/nginx');
  });

  it('asks before a link leaves it, and begins anew after that', async ({ page }) => {
    await page.getByRole('link', { name: 'Registries' }).click();
    await button(page, 'Stay').click();
    expect(await name(page).inputValue()).toBe('Nightly');
    await page.getByRole('link', { name: 'Registries' }).click();
    await button(page, 'Leave').click();
    await page.waitForURL('**/registries');
    await page.goto('/transfers/schedules/new');
    await name(page).waitFor();
    expect(await name(page).inputValue()).toBe('');
  });
});
