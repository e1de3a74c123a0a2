/** The choice of notifications in a browser: where each kind appears, and whether mail is sent. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, logIn, settled } from '../support/product.ts';

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;
let store: Store;
/** Over the API. */
let admin: Call;
let dev: Call;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  admin = await logIn(browsed.product, ...ADMIN);
  dev = await logIn(browsed.product, ...DEVELOPER);
});

afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

const choices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const choice = (page: Page, name: string) => choices(page).getByRole('checkbox', { name });
const isSaved = (page: Page) => choices(page).getByRole('status').getByText('Saved').waitFor();

async function chosen(kind: string) {
  const body = await bodyOf(dev('GET', '/api/notifications/settings'));
  return body.find((each: { kind: string }) => each.kind === kind);
}

/** The verdict, or the code of the fault. */
async function pulled(image: string): Promise<string> {
  const source = { image, tag: '1.0', source_registry_host: browsed.upstream.host };
  const answer = await dev('POST', '/api/staging/pull', source);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  const { verdict, status } = await settled(dev, answer.body.job_id);
  return status === 'failed' ? status : verdict;
}

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), /ERR_FAILED/);

  it('comes from the bell to the choice, and reads that no e-mail is sent', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('button', { name: 'Notifications', exact: true }).click();
    await page.getByRole('link', { name: 'Choose notifications' }).click();
    await choice(page, 'My image was blocked: On the page').waitFor();
    await page.locator('#notifications:focus').waitFor();
    await choices(page).getByText('This installation sends no e-mail.').waitFor();
    await choices(page).getByText('An administrator can set up a mail server.').waitFor();
    await expect
      .poll(() => choice(page, 'An image is now blocked: E-mail').isDisabled())
      .toBe(true);
    await expect.poll(() => choices(page).getByText('A waiver needs my review').count()).toBe(0);
  });

  it('saves a choice at once', async ({ page }) => {
    await page.goto('/settings/account#notifications');
    await choice(page, 'My image was blocked: On the page').click();
    await isSaved(page);
    expect(await chosen('job.blocked')).toMatchObject({ page: false, mail: null });
    await page.reload();
    await choice(page, 'My image was blocked: On the page').waitFor();
    await expect
      .poll(() => choice(page, 'My image was blocked: On the page').isChecked())
      .toBe(false);
    await expect
      .poll(() => choice(page, 'My image was pushed: On the page').isChecked())
      .toBe(true);
  });

  it('is notified of what was chosen alone', async ({ page }) => {
    await page.goto('/settings/account#notifications');
    expect(await pulled('acme/old')).toBe('blocked');
    expect(await pulled('acme/none')).toBe('failed');
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    const items = page.getByRole('dialog').getByRole('listitem');
    await items.getByText('The job of acme/none:1.0 failed').waitFor();
    await expect.poll(() => items.count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('reads why a choice was not saved, and sees the one in force', async ({ page }) => {
    await page.goto('/settings/account#notifications');
    const box = choice(page, 'My image was pushed: On the page');
    await page.route('**/api/notifications/settings', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await box.click();
    await choices(page).getByRole('alert').waitFor();
    await expect.poll(() => box.isChecked()).toBe(true);
    await page.unrouteAll();
    expect(await chosen('job.pushed')).toMatchObject({ page: true });
  });

  it('reads that the account has no address', async ({ page }) => {
    const addresses = { from_address: 'gate@example.com', to_addresses: ['ops@example.com'] };
    const email = { enabled: true, host: 'mail.example.com', ...addresses };
    expect((await admin('PUT', '/api/network/email', email)).status).toBe(200);
    await page.goto('/settings/account#notifications');
    await choices(page).getByText('your account has no e-mail address').waitFor();
    await expect
      .poll(() => choice(page, 'An image is now blocked: E-mail').isDisabled())
      .toBe(true);
  });

  it('chooses the mails to the address of the account', async ({ page }) => {
    const { id } = await bodyOf(dev('GET', '/api/auth/me'));
    await store.users.update(id, { email: 'dev@example.com' });
    await page.goto('/settings/account#notifications');
    await choices(page).getByText('E-mail is sent to dev@example.com.').waitFor();
    await choice(page, 'An image is now blocked: E-mail').click();
    await choice(page, 'An image is no longer blocked: On the page').click();
    await isSaved(page);
    await expect.poll(() => chosen('image.blocked')).toMatchObject({ page: true, mail: false });
    await expect.poll(() => chosen('image.cleared')).toMatchObject({ page: true, mail: true });
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('chooses also notifications of waivers to review, and adds an address', async ({ page }) => {
    await page.goto('/settings/account#notifications');
    await choice(page, 'A waiver needs my review: On the page').waitFor();
    await choices(page).getByRole('link', { name: 'Add an address' }).click();
    await page.waitForURL('**/settings/users?q=admin');
  });
});
