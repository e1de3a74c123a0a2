/** Webhooks in a browser: created, tested, replayed, failing, disabled, and deleted. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type Receiver, startReceiver } from '../notifier/receiver.ts';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visit, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let receiver: Receiver;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: '127.0.0.1' });
  ({ browser } = browsed);
  ({ url } = browsed.product);
  await addDeveloper(browsed.product, ...DEVELOPER);
  receiver = await startReceiver();
}, 300_000);
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]();
  await browsed?.stop();
});

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const secretDialog = (page: Page) => dialog(page, 'Copy the secret now');

async function shownSecret(page: Page): Promise<string> {
  const shown = secretDialog(page).getByText(/^whsec_/);
  await shown.waitFor();
  return (await shown.textContent()) ?? '';
}

const answered = (status: number, headers: OutgoingHttpHeaders = {}) => {
  receiver.answer = (response) => response.writeHead(status, headers).end();
};

/** Far beyond the test, which itself decides when the delivery is sent again. */
const NOT_SOON = { 'retry-after': '3600' };

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));
  let address = '';

  it('reads on the empty page what to do', async ({ page }) => {
    await page.goto('/settings/webhooks');
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByText('You need the URL of a receiver.').waitFor();
    await expectWellMade(page, 'webhooks-empty');
  });

  it('reads at the field why a private address is refused', async ({ page }) => {
    await button(page, 'New webhook').click();
    const form = dialog(page, 'New webhook');
    await form.getByLabel('Name').fill('tickets');
    await form.getByLabel('URL').fill('http://10.1.2.3/hook');
    await form.getByRole('button', { name: 'Create webhook' }).click();
    await form.getByText('This is a private address.').waitFor();
    await expectWellMade(page, 'webhook-form');
  });

  it('creates one, whose secret is shown once', async ({ page }) => {
    const form = dialog(page, 'New webhook');
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByRole('combobox', { name: 'Folder' }).click();
    await page.getByRole('option', { name: 'team' }).click();
    await form.getByRole('checkbox', { name: 'Job failed' }).click();
    await form.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await shownSecret(page);
    receiver.secrets.push(secret);
    await expectWellMade(page, 'webhook-secret');
    await page.keyboard.press('Escape');
    expect(await shownSecret(page)).toBe(secret);
    await secretDialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'tickets', level: 1 }).waitFor();
    address = new URL(page.url()).pathname;
    await page.getByText('No deliveries yet').waitFor();
    // The dialog closes with an animation.
    await expect.poll(() => page.content()).not.toContain(secret);
    expect(await page.content()).not.toContain('t0p');
    await expectWellMade(page, 'webhook-new');
  });

  it('sends a test, which the receiver verifies with the secret', async ({ page }) => {
    await button(page, 'Send test').click();
    await row(page, /Test message.*Delivered.*HTTP 204/).waitFor();
    expect(receiver.received).toMatchObject([
      { body: { type: 'io.portcullis.webhook.test' }, verifiedBy: [0] },
    ]);
    await expectWellMade(page, 'webhook-delivered');
  });

  it('reads what was sent, and sends it again under the same id', async ({ page }) => {
    await button(page, 'Test message').click();
    const drawer = dialog(page, 'Delivery');
    await drawer.getByText('io.portcullis.webhook.test').waitFor();
    await expectWellMade(page, 'webhook-delivery');
    await drawer.getByRole('button', { name: 'Replay Test message' }).click();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2);
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    await drawer.getByRole('button', { name: 'Close' }).click();
  });

  it('sees a failure, and since when the webhook fails', async ({ page }) => {
    answered(500, NOT_SOON);
    await button(page, 'Send test').click();
    await row(page, /Failed, will be tried again.*Receiver reported an error · HTTP 500/).waitFor();
    await page.getByText('Deliveries fail.').waitFor();
    await expectWellMade(page, 'webhook-failing');
    await page.goto('/settings/webhooks');
    await row(page, /tickets.*Folder team.*Failing.*since.*HTTP 500/).waitFor();
    await expectWellMade(page, 'webhooks-failing');
  });

  it('reads why it was disabled, and enables it', async ({ page }) => {
    answered(410);
    await page.goto(address);
    await button(page, 'Replay Test message').first().click();
    await page.getByText('Disabled: the receiver answered 410 Gone').first().waitFor();
    await expectWellMade(page, 'webhook-gone');
    answered(204);
    await page.getByRole('alert').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('tickets was enabled.').waitFor();
    const before = receiver.received.length;
    await button(page, 'Replay Test message').first().click();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(before + 1);
  });

  it('replaces the secret, after which deliveries have both signatures', async ({ page }) => {
    await button(page, 'Actions for tickets').click();
    await page.getByRole('menuitem', { name: 'Replace secret…' }).click();
    const question = dialog(page, 'Replace the secret of tickets?');
    await question.getByText('For 24 hours each delivery is signed with both secrets.').waitFor();
    await expectWellMade(page, 'webhook-rotate');
    await question.getByRole('button', { name: 'Replace secret' }).click();
    receiver.secrets.push(await shownSecret(page));
    await secretDialog(page).getByRole('button', { name: 'Close' }).click();
    await page.getByText(/Deliveries are also signed with the former one until/).waitFor();
    await button(page, 'Send test').click();
    await expect
      .poll(() => receiver.received.at(-1)?.verifiedBy, { timeout: 20_000 })
      .toEqual([0, 1]);
  });

  it('changes the name and the events, and keeps the address', async ({ page }) => {
    await button(page, 'Edit').click();
    const form = dialog(page, 'Edit tickets');
    await form.getByLabel('Name').fill('bugs');
    await form.getByText('All events').click();
    await expectWellMade(page, 'webhook-edit');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'bugs', level: 1 }).waitFor();
    await page.getByText('All events').waitFor();
    const before = receiver.received.length;
    await button(page, 'Send test').click();
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(before + 1);
  });

  it.each([
    ['fr-FR', 'Envois'],
    ['de-DE', 'Zustellungen'],
  ])('reads it in %s', async (locale, heading) => {
    const visitor = await visit(browser, url, { locale });
    const { page } = visitor;
    await page.goto(address);
    await page.locator('input[name="username"], input').first().fill(ADMIN[0]);
    await page.locator('input[type="password"]').fill(ADMIN[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading }).waitFor();
    await expectWellMade(page, `webhook-${locale}`);
    await visitor.close();
  });

  it('deletes it', async ({ page }) => {
    await button(page, 'Actions for bugs').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await dialog(page, 'Delete bugs?').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  it('gets no error in the console', ({ visitor }) => {
    // The address that was refused, and the webhook that was deleted.
    expect(visitor.faults.filter((fault) => !/status of (?:422|404)/.test(fault))).toEqual([]);
  });
});

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('reads that the page is for administrators', async ({ page }) => {
    await page.goto('/settings/webhooks');
    await page.getByRole('heading', { name: /administrators/i }).waitFor();
  });
});
