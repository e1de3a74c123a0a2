/** The list of repositories in a browser: several are selected, and deleted together. */
import {
  buildImage,
  PATIENCE_MS,
  pushImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { expectFocused, signedIn, speak, visitedBy, withoutTimers } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';

/** More than a page of the list has. */
const OLD = Array.from({ length: 55 }, (_, n) => `team/old-${n}`);

let browsed: BrowsedProduct;
/** Its content can't be deleted. */
let archive: TestRegistry;
let archiveId: string;
let admin: Call;

beforeAll(async () => {
  archive = await startRegistry({ delete: false });
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: archive.host });
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
  await admin('POST', '/api/folders', { name: 'shared' });
  await admin('POST', '/api/folders', { name: 'lent' });
  await grant('shared', { can_push: false });
  await grant('lent', { can_push: true });
  const place = { name: 'Archive', host: archive.host, use_tls: false, owner: 'global' };
  archiveId = (await bodyOf(admin('POST', '/api/registries', place))).id;
  await fill();
});

afterAll(async () => {
  await browsed?.stop();
  await archive?.stop();
});

async function grant(name: string, rights: { can_push: boolean }): Promise<void> {
  const folders: { id: string; name: string }[] = await bodyOf(admin('GET', '/api/folders'));
  const folder = folders.find((each) => each.name === name);
  const [group] = await bodyOf(admin('GET', '/api/groups'));
  const body = { group_id: group.id, can_pull: true, ...rights };
  const path = `/api/folders/${folder?.id}/permissions`;
  expect((await admin('PUT', path, body)).status).toBe(200);
}

async function fill(): Promise<void> {
  const image = await buildImage({ layers: [{ file: 'content' }] });
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  const push = (repository: string, tag = '1') =>
    pushImage(browsed.url, repository, tag, image, { credentials });
  for (const n of [1, 2, 3, 4, 5]) await push(`team/app-${n}`);
  await push('team/app-2', '2');
  for (const name of ['a', 'b', 'c']) await push(`team/key-${name}`);
  for (const folder of ['lent', 'team']) await push(`${folder}/mixed`);
  for (const repository of ['shared/old-base', ...OLD]) await push(repository);
  for (const tag of ['1', '2']) await pushImage(archive.url, 'acme/kept', tag, image);
}

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded rows' });
const question = (page: Page, count: string) =>
  page.getByRole('dialog', { name: `Delete ${count}?`, exact: true });
const rows = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');
const count = (page: Page) => expect.poll(() => rows(page).count());
const confirm = (page: Page, of: string) =>
  question(page, of).getByRole('button', { name: 'Delete', exact: true }).click();

async function left(search: string): Promise<string[]> {
  const body = await bodyOf(admin('GET', `/api/images/__local__?search=${search}`));
  return body.items.map(({ name }: { name: string }) => name);
}

describe('repositories', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER), /status of 403/);

  it('are selected with Shift, and deleted after a confirmation and a time for undo', async ({
    page,
  }) => {
    await page.goto('/images?q=team/app');
    await box(page, 'team/app-1').click();
    await box(page, 'team/app-4').click({ modifiers: ['Shift'] });
    await bar(page).getByText('4 rows selected').waitFor();
    await expect.poll(() => page.getByRole('row', { selected: true }).count()).toBe(4);
    await action(page, 'Delete').click();
    const asked = question(page, '4 repositories');
    await asked.getByText(/^4 repositories with 5 tags \(.+\) will be deleted/).waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await bar(page).getByText('4 rows selected').waitFor();
    await action(page, 'Delete').click();
    await asked.waitFor();
    await withoutTimers(page, async () => {
      await confirm(page, '4 repositories');
      await page.getByText('4 repositories will be deleted.').waitFor();
      await count(page).toBe(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await count(page).toBe(5);
    });
    expect(await left('team/app')).toHaveLength(5);
    await box(page, 'team/app-5').click();
    await box(page, 'team/app-2').click({ modifiers: ['Shift'] });
    await action(page, 'Delete').click();
    await confirm(page, '4 repositories');
    await expect.poll(() => left('team/app')).toEqual(['team/app-1']);
    await count(page).toBe(1);
  });

  it('are selected and deleted with the keyboard alone', async ({ page }) => {
    await page.goto('/images?q=key-');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('team/key-a').focus();
    await page.keyboard.press('Space');
    await page.getByRole('status').filter({ hasText: '1 row selected' }).waitFor();
    await link('team/key-c').focus();
    await page.keyboard.press('Shift+Space');
    await page.getByRole('status').filter({ hasText: '3 rows selected' }).waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await box(page, 'team/key-b').press('Space');
    await action(page, 'Delete').press('Enter');
    const asked = question(page, '1 repository');
    await expectFocused(asked.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('1 repository will be deleted.').waitFor();
    await expect.poll(() => left('key-')).toEqual(['team/key-a', 'team/key-c']);
  });

  it('that the registry or a right keeps are named with the reason', async ({ page }) => {
    await page.goto('/images?q=/mixed');
    await everyBox(page).click();
    await action(page, 'Delete').click();
    await question(page, '2 repositories').waitFor();
    await grant('lent', { can_push: false });
    await confirm(page, '2 repositories');
    const notice = page.getByRole('alert').filter({ hasText: 'Done: 1 row. Not done: 1 row.' });
    await notice.getByText('lent/mixed: You do not have this permission').waitFor();
    expect(await left('/mixed')).toEqual(['lent/mixed']);
    await expect.poll(() => box(page, 'lent/mixed').isDisabled()).toBe(true);
  });

  it('of another registry are not asked for once the list is of the one before', async ({
    page,
  }) => {
    await page.goto('/images?q=old-');
    await count(page).toBe(50);
    await page.getByRole('combobox', { name: 'Registry' }).click();
    await page.getByRole('option', { name: /^Archive/ }).click();
    await box(page, 'acme/kept').click();
    await action(page, 'Delete').click();
    await question(page, '1 repository').waitFor();
    await page.goBack();
    await count(page).toBe(50);
    await question(page, '1 repository').waitFor({ state: 'detached' });
  });

  it('of another registry are named with the tags that it keeps, in French too', async ({
    page,
  }) => {
    await page.goto(`/images/${archiveId}`);
    await box(page, 'acme/kept').waitFor();
    await speak(page, 'fr');
    await page.reload();
    await page.getByRole('checkbox', { name: 'Sélectionner acme/kept' }).click();
    await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
    const asked = page.getByRole('dialog', { name: /^Supprimer 1 dépôt/ });
    await asked.getByText('avec tous les tags').waitFor();
    await asked.getByRole('button', { name: 'Supprimer', exact: true }).click();
    const refusal = 'acme/kept (2 tags conservés) : Ce registre ne permet pas la suppression.';
    await page.getByRole('alert').getByText(refusal.replace(' :', '\u00a0:')).waitFor();
  });

  it('that the account may not delete are not selected, with the reason', async ({ page }) => {
    await page.goto('/images?q=old-');
    await count(page).toBe(50);
    const kept = box(page, 'shared/old-base');
    await expect.poll(() => kept.isDisabled()).toBe(true);
    await expect
      .poll(() => kept.getAttribute('aria-description'))
      .toBe('You are not allowed to push to shared.');
    await page.getByRole('link', { name: 'shared/old-base' }).press('Space');
    await expect.poll(() => bar(page).count()).toBe(0);
    await everyBox(page).click();
    await bar(page).getByText('49 rows selected').waitFor();
    await expect.poll(() => everyBox(page).isChecked()).toBe(true);
    await page.goto('/images?q=old-base');
    await expect.poll(() => everyBox(page).isDisabled()).toBe(true);
  });

  it('are chosen with all that match, also those of other pages', async ({ page }) => {
    await page.goto('/images?q=old-');
    await everyBox(page).click();
    await action(page, 'Select all 56 that match').click();
    await bar(page).getByText('All 56 that match are selected').waitFor();
    await action(page, 'Delete').click();
    const asked = question(page, '55 repositories');
    await asked.getByText('1 selected row is left out').waitFor();
    await confirm(page, '55 repositories');
    await page.getByText('55 repositories will be deleted.').waitFor();
    await count(page).toBe(1);
    await expect
      .poll(() => left('old-'), { timeout: 2 * PATIENCE_MS })
      .toEqual(['shared/old-base']);
    await page.goto('/images?q=old-&page=2');
    await page.waitForURL((url) => url.search === '?q=old-');
    await count(page).toBe(1);
  });
});
