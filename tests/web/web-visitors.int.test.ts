/** Visitors with limits in a browser: no rights, no mouse, an expired session. */
import {
  debianImage,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visit, visitedBy, withoutTimers } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { logIn, type Product } from '../support/product.ts';

const STRANGER = ['stranger', 'nothing is granted to me'] as const;
/** Is in no group, and may push blocked images. */
const REVIEWER = ['reviewer', 'waivers of all folders'] as const;
const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  await pushImage(upstream.url, 'acme/plain', '1.0', await debianImage({ packages: CLEAN }));
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
  const [username, password] = STRANGER;
  const admin = await logIn(product, ...ADMIN);
  expect((await admin('POST', '/api/auth/users', { username, password })).status).toBe(201);
  const reviewer = { username: REVIEWER[0], password: REVIEWER[1], can_bypass_vuln_block: true };
  expect((await admin('POST', '/api/auth/users', reviewer)).status).toBe(201);
}, 300_000);

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

describe('a user without rights', () => {
  const it = visitedBy(() => signedIn(browser, product.url, STRANGER));

  it.for([
    ['/dashboard', 'Ask an administrator to add your account to one.'],
    ['/staging', 'Ask an administrator to add your account to one.'],
    ['/staging/new', 'You are not allowed to pull from other registries.'],
    ['/images', 'You do not have access to any folder'],
    ['/images/__local__/team/app', 'Access denied'],
    ['/transfers', 'Ask an administrator to add your account to one.'],
    ['/transfers?show=schedules', 'Ask an administrator to add your account to one.'],
    ['/transfers/new', 'You are not allowed to push to any folder.'],
    ['/transfers/new', 'You are not allowed to pull from other registries.'],
    ['/waivers', 'Ask an administrator to add your account to one.'],
    ['/registries', 'No saved registries'],
    ['/settings/account', 'No permissions yet'],
    ['/settings/users', 'Administrators only'],
    ['/settings/groups', 'Administrators only'],
    ['/settings/folders', 'Administrators only'],
    ['/settings/scan', 'Administrators only'],
    ['/settings/sign-on', 'Administrators only'],
    ['/settings/network', 'Administrators only'],
    ['/audit', 'Administrators only'],
    ['/system', 'Administrators only'],
  ] as const)(
    'reads on %s what is available, and whom to ask',
    async ([place, words], { page }) => {
      await page.goto(place);
      await page.getByText(words).first().waitFor();
      await expectWellMade(page, `stranger${place.replaceAll(/\W+/g, '-')}`);
    },
  );

  it.for([
    '/dashboard',
    '/staging',
    '/staging/new',
    '/images',
    '/folders',
    '/transfers/new',
    '/waivers',
    '/settings/users',
  ])('reads on %s who the administrators are', async (place, { page }) => {
    await page.goto(place);
    await page.getByText('Administrators: admin.', { exact: true }).waitFor();
  });

  it('is offered nothing that it may not do', async ({ page }) => {
    await page.goto('/staging');
    await page.getByText('Administrators: admin.', { exact: true }).waitFor();
    expect(await page.getByText('Pull an image').count()).toBe(0);
    await page.goto('/transfers');
    await page.getByText('Administrators: admin.', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'New transfer' }).count()).toBe(0);
  });

  it('gets a message where they try anyway', async ({ page }) => {
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Image' }).fill(`${upstream.host}/acme/plain:1.0`);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    await page
      .getByRole('alert')
      .getByText(/You are not allowed to pull from other registries\./)
      .first()
      .waitFor();
  });
});

describe('a reviewer without groups', () => {
  const it = visitedBy(() => signedIn(browser, product.url, REVIEWER));

  it('imports waivers, and reads that there are none', async ({ page }) => {
    await page.goto('/waivers?state=all');
    await page.getByText('No waivers yet').waitFor();
    await page.getByRole('button', { name: 'Import OpenVEX' }).waitFor();
  });
});

describe('a user without a mouse', () => {
  const it = visitedBy(() => visit(browser, product.url));

  /** Tab as often as needed, without a cycle. */
  async function tabTo(page: Page, role: string, name: string | RegExp): Promise<void> {
    const target = page.getByRole(role as 'button', { name });
    await target.first().waitFor();
    for (let presses = 0; presses < 60; presses++) {
      if (
        await target.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))
      )
        return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard doesn't reach ${role} ${name}`);
  }

  it('signs in, pulls, reviews and pushes', async ({ page }) => {
    await page.goto('/');
    await tabTo(page, 'textbox', 'Username');
    await page.keyboard.type(DEVELOPER[0]);
    await page.keyboard.press('Tab');
    await page.keyboard.type(DEVELOPER[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Staging', exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Pull an image' }).waitFor();
    await tabTo(page, 'combobox', 'Image');
    await page.keyboard.type(`${upstream.host}/acme/plain:1.0`);
    await tabTo(page, 'button', 'Pull and scan');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Push…' }).waitFor();
    await page.keyboard.press('p');
    const dialog = page.getByRole('dialog', { name: 'Push' });
    await dialog.waitFor();
    await tabTo(page, 'combobox', 'Folder');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'team' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByText('You are allowed to push here.').waitFor();
    const push = dialog.getByRole('button', { name: 'Push', exact: true });
    await expect.poll(() => push.isEnabled()).toBe(true);
    await tabTo(page, 'button', 'Push');
    await page.keyboard.press('Enter');
    await page.getByText('Done', { exact: true }).waitFor({ timeout: 30_000 });
  });

  it('returns to the previous focus when a dialog closes, and never loses it', async ({ page }) => {
    await tabTo(page, 'button', 'Push again…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Push' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('Push again…');
  });

  it('deletes the job, and undoes it by keyboard, too', async ({ page }) => {
    await tabTo(page, 'button', 'More actions');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
    await expectWellMade(page, 'job-menu');
    await page.keyboard.press('ArrowUp');
    await withoutTimers(page, async () => {
      await page.keyboard.press('Enter');
      await page.getByText('acme/plain:1.0 was deleted.').waitFor();
      await tabTo(page, 'button', 'Undo');
      await page.keyboard.press('Enter');
    });
    await page.getByRole('link', { name: 'acme/plain:1.0' }).waitFor();
  });
});

describe('a user whose session ends', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

  it('keeps unsaved settings, signs in, and saves them', async ({ page }) => {
    await page.goto('/settings/network');
    const section = page.getByRole('region', { name: 'Proxy' });
    await section.getByLabel('No proxy for').fill('.corp.example');
    await page.context().clearCookies();
    await section.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).waitFor();
    await expectWellMade(page, 'session-ended');
    await dialog.getByLabel('Password', { exact: true }).fill('not this one');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('Incorrect username or password.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(ADMIN[1]);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await section.getByText('Set on this page').waitFor();
    await expect.poll(() => section.getByLabel('No proxy for').inputValue()).toBe('.corp.example');
  });
});
