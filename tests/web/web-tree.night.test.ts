/**
 * The tree of folders and repositories, filtered tags, and the tags of a typed host; by keyboard.
 */
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import { buildImage, json, pushImage, startRegistry, type TestRegistry } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { type Product, until } from '../support/product.ts';

let open: TestRegistry;
let closed: TestRegistry;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  [open, closed] = await Promise.all([startRegistry(), startRegistry({ auth: 'basic' })]);
  browsed = await browsedProduct({
    TRIVY_ENABLED: 'false',
    EGRESS_ALLOW: `${open.host},${closed.host}`,
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
  await fillRegistries();
  await fillIndex();
});

afterAll(async () => {
  await browsed?.stop();
  await Promise.all([open?.stop(), closed?.stop()]);
});

/** In the order of the suggestions; registries list them in another order. */
const VERSIONS = ['latest', '2.10.0', '2.9.0', '2.9.0-rc.1', '1.0.0'];
const TAGS = Array.from({ length: 12 }, (_, n) => `1.${n}`);

async function fillRegistries(): Promise<void> {
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  const image = await buildImage({ layers: [{ text: 'one' }] });
  for (const repository of [
    'team/app',
    'team/app/web',
    'team/backend/api/v2',
    'lonely',
    'hidden/away',
  ])
    await pushImage(product.url, repository, '1', image, { credentials });
  for (const tag of TAGS) await pushImage(product.url, 'team/tagged', tag, image, { credentials });
  for (const tag of ['7.0', '7.1', '8.0']) await pushImage(open.url, 'acme/app', tag, image);
  for (const tag of VERSIONS) await pushImage(open.url, 'acme/versions', tag, image);
  for (let n = 0; n < 30; n++) await pushImage(open.url, 'acme/many', `1.0.${n}`, image);
  await pushImage(closed.url, 'acme/app', 'sealed', image, { credentials: closed.credentials });
}

/** More repositories than a page of the tree has, only in the index. */
async function fillIndex(): Promise<void> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  const manifest = {
    digest: `sha256:${'a'.repeat(64)}`,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    artifactType: null,
    subject: null,
    size: 1000,
    platforms: ['linux/amd64'],
    contents: [],
  };
  for (let n = 0; n < 250; n++) {
    const repository = `team/many/service-${String(n).padStart(3, '0')}`;
    await store.images.record({
      repository,
      tag: '1',
      digest: manifest.digest,
      manifests: [manifest],
      at: new Date(),
    });
  }
  await store.close();
}

const item = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
/** Longer than the pause after which letters begin a new prefix. */
const TYPING_PAUSE_MS = 700;

/** The name in the focused line. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const line = document.activeElement?.closest('[role="treeitem"]');
    return line?.querySelector('[class*="name"]')?.textContent ?? '';
  });

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

describe('a developer and the tree', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), NO_FAULTS);

  it('sees and expands readable folders, with their totals', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: 'Images' }).click();
    await page.getByRole('link', { name: 'Repositories' }).click();
    await item(page, /^team.*254 repositories.*265 tags/).waitFor();
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(1);
    await expect.poll(() => page.getByText('hidden').count()).toBe(0);
    await item(page, /^team/).click();
    await item(page, /^app.*1 repository.*2 tags/).waitFor();
    await item(page, /^backend.*1 repository/).click();
    await item(page, /^api/).waitFor();
  });

  it('navigates by keyboard, with one tab stop, and finds the tree as it was after going back', async ({
    page,
  }) => {
    // The developer navigates by keyboard, with one tab stop.
    await page.clock.install();
    await page.goto('/images');
    await item(page, /^team/).waitFor();
    await page.getByRole('searchbox').focus();
    // Past the choice of tree or list.
    await press(page, 'Tab', 'Tab', 'ArrowRight');
    await item(page, /^app/).waitFor();
    await press(page, 'ArrowRight');
    await expect.poll(() => focused(page)).toBe('app');
    await press(page, 'ArrowRight');
    await item(page, /^web/).waitFor();
    await press(page, 'b');
    await expect.poll(() => focused(page)).toBe('backend');
    // After a pause, typed letters begin a new prefix.
    await page.clock.fastForward(TYPING_PAUSE_MS);
    await press(page, 't');
    await expect.poll(() => focused(page)).toBe('tagged');
    await press(page, 'Home');
    await expect.poll(() => focused(page)).toBe('team');
    await press(page, 'ArrowDown', 'ArrowDown', 'ArrowLeft');
    await expect.poll(() => focused(page)).toBe('app');
    await press(page, 'ArrowLeft');
    await item(page, /^web/).waitFor({ state: 'detached' });
    await press(page, 'Tab');
    await expect.poll(() => focused(page)).toBe('');
    await press(page, 'Shift+Tab');
    await expect.poll(() => focused(page)).toBe('app');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'team/app', exact: true }).waitFor();
    // The developer finds it expanded after going back, and has links to its parents on a
    // repository.
    await page.goBack();
    await item(page, /^app/).waitFor();
    await page.goto('/images/__local__/team/backend/api/v2');
    await page
      .getByRole('navigation', { name: 'Repositories' })
      .getByRole('link', { name: 'backend' })
      .click();
    await item(page, /^api/).waitFor();
    await expect.poll(() => item(page, /^backend/).getAttribute('aria-level')).toBe('2');
    await expect.poll(() => item(page, /^team/).getAttribute('aria-expanded')).toBe('true');
  });

  it('expands both of two folders that are clicked before the first is shown', async ({ page }) => {
    await page.goto('/images?open=team');
    await item(page, /^backend/).waitFor();
    await page.evaluate(() => {
      const clicks = { bubbles: true, cancelable: true };
      for (const each of document.querySelectorAll('[role=treeitem]'))
        if (/^(app1|backend)/.test(each.textContent))
          each.querySelector('[data-chevron]')?.dispatchEvent(new MouseEvent('click', clicks));
    });
    await item(page, /^web/).waitFor();
    await item(page, /^api/).waitFor();
  });

  it('reaches the end of a level with many pages, with only the visible part in the document', async ({
    page,
  }) => {
    await page.goto('/images?open=team&open=team/many');
    await item(page, 'service-000').waitFor();
    await expect.poll(() => item(page, 'service-000').getAttribute('aria-setsize')).toBe('250');
    await item(page, /^team/).focus();
    await until(async () => {
      await press(page, 'End');
      return (await item(page, 'service-249').count()) === 1;
    });
    await expect.poll(() => focused(page)).toBe('tagged');
    await expect.poll(() => page.getByRole('treeitem').count()).toBeLessThan(80);
  });

  it('searches in a flat list, and returns to the tree', async ({ page }) => {
    await page.goto('/images');
    await item(page, /^team/).waitFor();
    await press(page, '/');
    await page.keyboard.type('service-12');
    await page.getByRole('link', { name: 'team/many/service-120' }).waitFor();
    await page.getByRole('tree').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('row').count()).toBe(11);
    await page.getByRole('searchbox').fill('');
    await item(page, /^team/).waitFor();
  });

  it('filters all tags of a repository, and sees that none matches', async ({ page }) => {
    await page.goto('/images/__local__/team/tagged');
    await page.getByText('12 tags', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('.1');
    await page.getByText('3 tags', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(4);
    await page.getByRole('searchbox').fill('nothing');
    await page.getByText('No matching tags.').waitFor();
  });
});

describe('a developer and a host that is not saved', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), /status of 40[39]/);
  const tag = (page: Page) => page.getByRole('combobox', { name: 'Tag' });

  async function paste(page: Page, reference: string): Promise<void> {
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Image' }).evaluate((field, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', text);
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, reference);
    await page.getByRole('textbox', { name: 'Host' }).waitFor();
  }

  it('gets suggestions of its tags', async ({ page }) => {
    await paste(page, `${open.host}/acme/app`);
    await tag(page).click();
    await page.getByRole('option', { name: '8.0' }).waitFor();
    await page.keyboard.type('7.');
    await page.getByRole('option', { name: '8.0' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: '7.1' }).click();
    await expect.poll(() => tag(page).inputValue()).toBe('7.1');
  });

  it('gets them newest first, in whatever order the registry lists them', async ({ page }) => {
    await paste(page, `${open.host}/acme/versions`);
    await tag(page).click();
    await page.getByRole('option', { name: 'latest' }).waitFor();
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(VERSIONS);
    await expect.poll(() => page.getByText('Only some of the tags').count()).toBe(0);
  });

  it('sees that the list is incomplete, and finds other tags by typing', async ({ page }) => {
    // As of a registry that sorts alphabetically, with pages of ten.
    await page.route('**/api/staging/search/tags?*', async (route) => {
      const response = await route.fetch();
      if (new URL(route.request().url()).searchParams.has('q')) return route.fulfill({ response });
      const headers = {
        ...response.headers(),
        link: '</api/staging/search/tags?cursor=1>; rel="next"',
      };
      await route.fulfill({ response, headers, json: (await json(response)).sort().slice(0, 10) });
    });
    await paste(page, `${open.host}/acme/many`);
    await tag(page).click();
    await page.getByText('Only some of the tags, newest first. Type to find others.').waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(10);
    await expect.poll(() => page.getByRole('option').first().textContent()).toBe('1.0.17');
    await tag(page).fill('1.0.29');
    await page.getByRole('option', { name: '1.0.29' }).click();
    await expect.poll(() => tag(page).inputValue()).toBe('1.0.29');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('gets them also where the host is only part of the image', async ({ page }) => {
    await page.goto('/staging/new');
    await page.getByRole('combobox', { name: 'Image' }).fill(`${open.host}/acme/app`);
    await tag(page).click();
    await page.getByRole('option', { name: '7.0' }).click();
    await expect.poll(() => tag(page).inputValue()).toBe('7.0');
  });

  it('sees that credentials are required, and gets suggestions once they are given', async ({
    page,
  }) => {
    await paste(page, `${closed.host}/acme/app`);
    await tag(page).click();
    await page
      .getByText('The registry requires an account, or rejected the one you entered.')
      .waitFor();
    await page.getByRole('checkbox', { name: 'Sign in with an account' }).check();
    await page.getByRole('textbox', { name: 'Username' }).fill(closed.credentials?.username ?? '');
    await page
      .getByRole('textbox', { name: 'Password or token' })
      .fill(closed.credentials?.password ?? '');
    await tag(page).click();
    await page.getByRole('option', { name: 'sealed' }).waitFor();
  });

  it('sees that private addresses are not allowed', async ({ page }) => {
    await paste(page, '10.9.8.7/acme/app');
    await tag(page).click();
    await page.getByText('This host has a private address.').waitFor();
  });
});

describe('an administrator and the tree', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN));

  it('finds repositories without a folder at its end', async ({ page }) => {
    await page.goto('/images');
    await item(page, /^No folder.*2 repositories/).click();
    await item(page, /^lonely/).waitFor();
    await item(page, /^hidden/).click();
    await item(page, /^away/).waitFor();
    await expect.poll(() => page.url()).toContain('open=__root__&open=hidden');
  });
});
