/** The way of an image in a browser without a mouse: signed in, pulled, pushed, and deleted. */
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
import { expectFocused, visit, visitedBy, withoutTimers } from '../support/browser.ts';
import { addDeveloper, DEVELOPER } from '../support/developer.ts';
import type { Product } from '../support/product.ts';

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
});

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

describe('a user without a mouse', () => {
  const it = visitedBy(() => visit(browser, product.url));

  /** Tab as often as needed, without a cycle. */
  async function tabTo(page: Page, role: string, name: string | RegExp): Promise<void> {
    const target = page.getByRole(role as 'button', { name });
    await expect.poll(() => target.first().isEnabled()).toBe(true);
    for (let presses = 0; presses < 60; presses++) {
      if (
        await target.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))
      )
        return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the keyboard doesn't reach ${role} ${name}`);
  }

  it('signs in, pulls, pushes, and deletes with an undo, and never loses the focus', async ({
    page,
  }) => {
    // The developer signs in, pulls, reviews and pushes.
    await page.goto('/');
    await tabTo(page, 'textbox', 'Username');
    await page.keyboard.type(DEVELOPER[0]);
    await page.keyboard.press('Tab');
    await page.keyboard.type(DEVELOPER[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pulls', exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Pull an image' }).waitFor();
    await tabTo(page, 'combobox', 'Image');
    await page.keyboard.type(`${upstream.host}/acme/plain:1.0`);
    await tabTo(page, 'button', 'Pull and scan');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor();
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
    await tabTo(page, 'button', 'Push');
    await page.keyboard.press('Enter');
    await page.getByText('Done', { exact: true }).waitFor();
    // The developer returns to the previous focus when a dialog closes, and never loses it.
    await tabTo(page, 'button', 'Push again…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Push' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('Push again…');
    // The developer deletes the job, and undoes it by keyboard, too.
    await tabTo(page, 'button', 'More actions');
    await page.keyboard.press('Enter');
    const deletion = page.getByRole('menuitem', { name: 'Delete' });
    await deletion.waitFor();
    // The menu takes the focus once it is shown.
    await page.locator('[role=menu]:focus-within').waitFor();
    await page.keyboard.press('ArrowUp');
    await expectFocused(deletion);
    await withoutTimers(page, async () => {
      await page.keyboard.press('Enter');
      await page.getByText('acme/plain:1.0 was deleted.').waitFor();
      await tabTo(page, 'button', 'Undo');
      await page.keyboard.press('Enter');
    });
    await page.getByRole('link', { name: 'acme/plain:1.0' }).waitFor();
  });
});
