/** Searches Docker Hub while typing, with a browser and the running product behind a proxy. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { eventually, type TemporaryDir, temporaryDir } from '@portcullis/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { requestsEnded, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { dockerHubProxy, type HubProxy } from '../support/docker-hub.ts';
import { logIn, type Product } from '../support/product.ts';

const REPOSITORIES = [
  ['nginx', 'Official build of Nginx.', 20_914, 12_345_678_901, true],
  [
    'nginx/nginx-ingress',
    'NGINX and NGINX Plus Ingress Controllers for Kubernetes',
    114,
    1_234_567_890,
    false,
  ],
  ['bitnami/nginx', 'Bitnami container image for NGINX', 201, 312_456_789, false],
] as const;

let hub: HubProxy;
let dir: TemporaryDir;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  dir = await temporaryDir();
  hub = await dockerHubProxy(
    REPOSITORIES.map(([repo_name, short_description, star_count, pull_count, is_official]) => ({
      repo_name,
      short_description,
      star_count,
      pull_count,
      is_official,
    })),
    ['1.29', 'latest', '1.28-alpine'],
  );
  const authority = path.join(dir.path, 'authority.pem');
  await writeFile(authority, hub.certificate);
  browsed = await browsedProduct({
    TRIVY_ENABLED: 'false',
    NODE_EXTRA_CA_CERTS: authority,
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
  const admin = await logIn(product, ...ADMIN);
  expect((await admin('PUT', '/api/network/proxy', { https_proxy: hub.url })).status).toBe(200);
});

afterAll(async () => {
  await browsed?.stop();
  await hub?.stop();
  await dir?.remove();
});

const field = (page: Page, name: string) => page.getByRole('combobox', { name });

/** With the keyboard, once nothing arrives that would begin the selection again. */
async function choose(page: Page, name: string): Promise<void> {
  await requestsEnded(page);
  const active = page.locator('[role=option][data-combobox-selected]');
  await eventually(
    async () => {
      if ((await active.allTextContents()).some((text) => text.startsWith(name))) return true;
      await page.keyboard.press('ArrowDown');
      return false;
    },
    Boolean,
    { intervalMs: 300 },
  );
  await page.keyboard.press('Enter');
}

/** Faster than people do, and in the page, because the way there may take longer than a pause. */
function type(input: Locator, text: string): Promise<void> {
  return input.evaluate(async (element, letters) => {
    const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    (element as HTMLInputElement).focus();
    for (let length = 1; length <= letters.length; length++) {
      setValue?.call(element, letters.slice(0, length));
      element.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, text);
}

describe.each([
  ['a developer', DEVELOPER],
  ['an administrator', ADMIN],
] as const)('%s who looks for an image', (_, account) => {
  const it = visitedBy(() => signedIn(browser, product.url, account), /status of 503/);

  it('types without a request for each letter, and selects by keyboard only', async ({ page }) => {
    await page.goto('/staging/new');
    const before = hub.searches.length;
    await type(field(page, 'Image'), 'nginx');
    await page.getByRole('option', { name: /^nginx Docker Official Image/ }).waitFor();
    await page.getByRole('option', { name: /12\.3bn pulls/ }).waitFor();
    expect(hub.searches.slice(before).length).toBeLessThan(3);
    await choose(page, 'nginx/nginx-ingress');
    await expect.poll(() => field(page, 'Image').inputValue()).toBe('nginx/nginx-ingress');
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: /^1\.29/ }).waitFor();
    await choose(page, '1.29');
    await expect.poll(() => field(page, 'Tag').inputValue()).toBe('1.29');
    await expect
      .poll(() => page.getByRole('button', { name: 'Pull and scan' }).isEnabled())
      .toBe(true);
  });

  it('sees that the hub has no such image', async ({ page }) => {
    await page.goto('/staging/new');
    await field(page, 'Image').fill('no-such-image');
    await page
      .getByText('No results. If you know the name, you can still pull the image.')
      .waitFor();
  });

  it('sees that the hub is unreachable, and can continue without it', async ({ page }) => {
    hub.cutOff();
    onTestFinished(() => hub.restore());
    await page.goto('/staging/new');
    await field(page, 'Image').fill(`redis-${account[0]}`);
    await page.getByText(/Docker Hub cannot be reached at the moment\./).waitFor();
    await field(page, 'Tag').fill('7');
    await expect
      .poll(() => page.getByRole('button', { name: 'Pull and scan' }).isEnabled())
      .toBe(true);
  });
});
