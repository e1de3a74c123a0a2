/** The images of a folder in a browser: sorted, selected, scanned and deleted together. */

import { buildImage, json, pushImage } from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy, withoutTimers } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';
import { sortBy } from '../../support/sorted-list.ts';

/** More than the list of a folder has of one image. */
const TAGS = ['1', '2', '3', '4', '5', '6', '7'];
const ALL_TAGS = '**/api/images/__local__/tags?*';
/** More than a page of the list has. */
const MANY = 26;

let browsed: BrowsedProduct;
let admin: Call;

beforeAll(async () => {
  browsed = await browsedProduct({});
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
  await share('shared');
  await fill();
  const team = await folderOf('team');
  const immutable = { immutable_tags: ['v*'] };
  expect((await admin('PATCH', `/api/folders/${team}`, immutable)).status).toBe(200);
});
afterAll(() => browsed?.stop());

async function folderOf(name: string): Promise<string> {
  const folders: { id: string; name: string }[] = await bodyOf(admin('GET', '/api/folders'));
  return folders.find((each) => each.name === name)?.id ?? '';
}

/** A folder that the developer may only pull from. */
async function share(name: string): Promise<void> {
  await admin('POST', '/api/folders', { name });
  const [group] = await bodyOf(admin('GET', '/api/groups'));
  const path = `/api/folders/${await folderOf(name)}/permissions`;
  const body = { group_id: group.id, can_pull: true, can_push: false };
  expect((await admin('PUT', path, body)).status).toBe(200);
}

async function fill(): Promise<void> {
  const [username, password] = ADMIN;
  const credentials = { username, password };
  const image = await buildImage({ layers: [{ file: 'content' }] });
  const other = await buildImage({ layers: [{ file: 'other content, which is longer' }] });
  const push = (repository: string, tag: string, pushed = image) =>
    pushImage(browsed.url, repository, tag, pushed, { credentials });
  for (const tag of TAGS) await push('team/app', tag);
  await push('team/app', 'other', other);
  for (const name of ['lib', 'tool']) await push(`team/${name}`, '1');
  await push('team/kept', 'v1');
  for (let n = 1; n <= MANY; n += 1) await push(`team/many-${n}`, '1');
  await push('shared/base', '1');
}

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
const action = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string | RegExp) =>
  page.getByRole(
    'checkbox',
    typeof name === 'string' ? { name: `Select ${name}`, exact: true } : { name },
  );
const everyBox = (page: Page) => page.getByRole('checkbox', { name: 'Select all loaded rows' });
const images = (page: Page) => page.getByRole('region', { name: 'Images' });
const links = (page: Page) => images(page).locator('tbody').getByRole('link').allTextContents();
const question = (page: Page, of: string) =>
  page.getByRole('dialog', { name: `Delete ${of}?`, exact: true });
const confirm = (page: Page, of: string) =>
  question(page, of).getByRole('button', { name: 'Delete', exact: true }).click();

async function tagsOf(repository: string): Promise<string[]> {
  const path = `/api/images/__local__/tags?repository=${repository}`;
  const { status, body } = await admin('GET', path);
  return status === 404 ? [] : body.map(({ tag }: { tag: string }) => tag);
}

describe('the images of a folder', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));
  const sort = (page: Page, heading: string) => sortBy(images(page), heading);

  it('are sorted by their headings, in the address', async ({ page }) => {
    await page.goto('/folders/team?q=o');
    await sort(page, 'Size');
    await expect.poll(async () => (await links(page))[0]).toBe('app:other');
    await expect.poll(() => new URL(page.url()).search).toBe('?q=o&sort=-size');
    await sort(page, 'Image');
    await page.reload();
    await expect.poll(() => links(page)).toEqual(['app:other', 'tool:1']);
    await sort(page, 'Image');
    await expect.poll(() => links(page)).toEqual(['tool:1', 'app:other']);
  });

  it('are deleted with all their tags after a question and a time for undo', async ({ page }) => {
    await page.goto('/folders/team?sort=repository');
    await box(page, /^Select app:\d$/).click();
    await box(page, 'lib:1').click({ modifiers: ['Shift'] });
    const other = images(page).getByRole('link', { name: 'app:other', exact: true });
    await other.press('Space');
    await bar(page).getByText('4 rows selected').waitFor();
    await other.press('Space');
    await bar(page).getByText('3 rows selected').waitFor();
    await action(page, 'Delete').click();
    await question(page, '3 images')
      .getByText(/^app:\d, kept:v1 and lib:1$/)
      .waitFor();
    await withoutTimers(page, async () => {
      const loaded = Promise.withResolvers<void>();
      await page.route(ALL_TAGS, (route) => loaded.promise.then(() => route.continue()));
      const asked = page.waitForRequest(ALL_TAGS);
      await confirm(page, '3 images');
      expect(new URL((await asked).url()).searchParams.get('q')).toMatch(/^sha256:/);
      await box(page, 'lib:1').waitFor({ state: 'detached' });
      loaded.resolve();
      await page.getByText('3 images will be deleted.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await box(page, 'lib:1').waitFor();
    });
    for (const name of [/^Select app:\d$/, 'kept:v1', 'lib:1']) await box(page, name).click();
    await action(page, 'Delete').click();
    await confirm(page, '3 images');
    await page.getByText('Done: 2 rows. Not done: 1 row.').waitFor();
    await page.getByText(/^kept:v1: /).waitFor();
    expect(await tagsOf('team/app')).toEqual(['other']);
    expect(await tagsOf('team/lib')).toEqual([]);
    expect(await tagsOf('team/kept')).toEqual(['v1']);
  });

  it('are scanned with all that match, also those of other pages', async ({ page }) => {
    await page.goto('/folders/team?q=many');
    await everyBox(page).click();
    await bar(page).getByText('25 rows selected').waitFor();
    await action(page, `Select all ${MANY} that match`).click();
    const asked = page.waitForRequest(/\/images\?.*page_size=200/);
    await action(page, 'Scan').click();
    // While they are loaded, their order by urgency may change.
    expect(new URL((await asked).url()).searchParams.get('sort')).toBe('repository');
    await page.getByText(`${MANY} scans requested.`).waitFor();
    const scans = await admin(
      'GET',
      '/api/trivy/scans?repository=team/many-26&registry_id=__local__',
    );
    // A tag may have moved since the list was loaded.
    expect(scans.body).toMatchObject([{ reference: expect.stringMatching(/^sha256:/) }]);
  });

  it('are scanned after a question where they are many', async ({ page }) => {
    await page.route(/\/images\?.*page_size=200/, async (route) => {
      const response = await route.fetch();
      const { items, ...rest } = await json(response);
      const digests = Array.from(
        { length: 101 },
        (_, n) => `sha256:${String(n).padStart(64, '0')}`,
      );
      const many = digests.map((digest) => ({ ...items[0], digest }));
      await route.fulfill({ response, json: { ...rest, items: many } });
    });
    await page.goto('/folders/team?q=many');
    await everyBox(page).click();
    await action(page, `Select all ${MANY} that match`).click();
    await action(page, 'Scan').click();
    const asked = page.getByRole('dialog', { name: 'Scan 101 images?', exact: true });
    await asked.waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await asked.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('requested.').count()).toBe(0);
  });

  it('are not deleted without the right to push', async ({ page }) => {
    await page.goto('/folders/shared');
    await box(page, 'base:1').click();
    await action(page, 'Scan').waitFor();
    await expect.poll(() => action(page, 'Delete').count()).toBe(0);
  });
});
