/** The journeys of people at the gate in a browser, with the number of acts that each one needs. */
import { debianImage, pushImage, randomFiles } from '@portcullis/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, logIn, settled } from '../support/product.ts';

/** Of openssl in `acme/old:1.0`. */
const BLOCKING = 'CVE-2099-0001';

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
  const { url: upstream } = browsed.upstream;
  const late = await debianImage({ more: [randomFiles(1_000, 'late.bin')] });
  const repaired = await debianImage({ packages: [{ name: 'tzdata', version: '2024a-0' }] });
  await pushImage(upstream, 'acme/late', '1.0', late);
  await pushImage(upstream, 'acme/late', '1.1', repaired);
});
afterAll(() => browsed?.stop());

/** Counts a click, a key, and a text that is typed into a field as one act each. */
class Acts {
  count = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async click(element: Locator): Promise<void> {
    this.count++;
    await element.click();
  }

  async type(field: Locator, text: string): Promise<void> {
    this.count++;
    await field.fill(text);
  }

  async press(key: string): Promise<void> {
    this.count++;
    await this.#page.keyboard.press(key);
  }
}

const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), NO_FAULTS);

  it('is blocked, asks, and reads the pull command after the approval', async ({ page }) => {
    const acts = new Acts(page);
    await page.goto('/staging/new');
    const image = page.getByRole('combobox', { name: 'Image' });
    await acts.type(image, `${browsed.upstream.host}/acme/old:1.0`);
    await acts.click(button(page, 'Pull and scan'));
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor();
    const job = page.url();
    await acts.click(button(page, 'Request a review'));
    const form = dialog(page, 'Request a review');
    await acts.type(form.getByLabel('Why is it needed?'), 'The release needs it.');
    await acts.click(button(form, 'Request a review'));
    await page.getByRole('link', { name: '#1 for team' }).waitFor();
    await reviewed();
    // The image is pushed by itself.
    await page.goto(job);
    await acts.click(page.getByRole('link', { name: 'Open the image, with its pull commands' }));
    await dialog(page, 'team/old:1.0').getByText('podman pull').waitFor();
    expect(acts.count).toBe(6);
  });

  it('tries the newest tag in place of the one that is blocked', async ({ page }) => {
    const acts = new Acts(page);
    await page.goto('/staging/new');
    const image = page.getByRole('combobox', { name: 'Image' });
    await acts.type(image, `${browsed.upstream.host}/acme/late:1.0`);
    await acts.click(button(page, 'Pull and scan'));
    await acts.click(button(page, 'Try the newest tag'));
    await page.getByRole('heading', { name: 'acme/late:1.1' }).waitFor();
    await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor();
    await acts.click(button(page, 'Push…').first());
    await acts.click(button(dialog(page, 'Push image'), 'Push'));
    await page.getByRole('link', { name: 'Open the image, with its pull commands' }).waitFor();
    expect(acts.count).toBe(5);
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN), NO_FAULTS);

  it('reads by a search which images have a vulnerability', async ({ page }) => {
    const acts = new Acts(page);
    await page.goto('/dashboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await acts.press('Control+k');
    await acts.type(page.getByRole('dialog').getByRole('combobox'), BLOCKING);
    await page
      .getByRole('option', { name: new RegExp(BLOCKING) })
      .first()
      .waitFor();
    await acts.press('Enter');
    await page.getByRole('heading', { name: new RegExp(BLOCKING) }).waitFor();
    await page.getByText('team/old').first().waitFor();
    expect(acts.count).toBe(3);
  });

  it('reads who let an image through, and why', async ({ page }) => {
    const acts = new Acts(page);
    await pushPastGate();
    await page.goto('/dashboard');
    await acts.click(page.getByRole('link', { name: 'Audit log' }));
    await acts.click(page.getByRole('switch', { name: 'Only bypassed' }));
    const row = page.getByRole('row').filter({ hasText: 'Bypassed' });
    await row.getByText('The fair begins today.').waitFor();
    await row.getByText(/team\/urgent:1\.0/).waitFor();
    expect(acts.count).toBe(2);
  });
});

/** Pushes what is blocked by the privilege of the administrator. */
async function pushPastGate(): Promise<void> {
  const admin = await logIn(browsed.product, ...ADMIN);
  const source = { image: 'acme/late', tag: '1.0', source_registry_host: browsed.upstream.host };
  const { job_id } = await bodyOf(admin('POST', '/api/staging/pull', source));
  await settled(admin, job_id);
  const push = {
    ...{ job_id, folder: 'team', target_image: 'urgent', target_tag: '1.0' },
    bypass_reason: 'The fair begins today.',
  };
  expect((await admin('POST', '/api/staging/push', push)).status).toBe(202);
  await settled(admin, job_id);
}

/** A reviewer goes to what waits, reads it, and approves it. */
async function reviewed(): Promise<void> {
  const { page, close } = await signedIn(browser, url, ADMIN);
  const acts = new Acts(page);
  await page.goto('/dashboard');
  await acts.click(page.getByRole('link', { name: /Reviews.*1 waiting for your review/ }));
  await page.getByRole('heading', { name: 'acme/old:1.0 #1' }).waitFor();
  await button(page, 'Approve 2 vulnerabilities').waitFor();
  await acts.press('a');
  await page.getByRole('heading', { name: 'Nothing waits for your decision' }).waitFor();
  expect(acts.count).toBe(2);
  // It is sent once the time to undo it has passed.
  const admin = await logIn(browsed.product, ...ADMIN);
  const state = async () => (await bodyOf(admin('GET', '/api/reviews/1'))).state;
  await expect.poll(state).toBe('approved');
  await close();
}
