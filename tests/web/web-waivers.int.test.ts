/** Waivers in a browser: from a blocked image to its review, and to the push. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { expectWellMade, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
}, 300_000);

afterAll(() => browsed?.stop());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('reads what to do where there are no waivers', async ({ page }) => {
    await page.goto('/waivers');
    await page.getByRole('heading', { name: 'No waivers yet' }).waitFor();
    await expectWellMade(page, 'waivers-empty');
  });

  it('imports an OpenVEX document, and reads what was skipped and why', async ({ page }) => {
    await page.getByRole('button', { name: 'Import OpenVEX' }).click();
    const form = dialog(page, 'Import an OpenVEX document');
    const file = (text: string) =>
      form.locator('input[type=file]').setInputFiles({
        name: 'vex.json',
        mimeType: 'application/json',
        buffer: Buffer.from(text),
      });
    await file('no JSON');
    await form.getByRole('button', { name: 'Import', exact: true }).click();
    await form.getByText('This file is not a JSON document.').waitFor();
    await file(JSON.stringify(vexDocument()));
    await expectWellMade(page, 'waiver-import');
    await form.getByRole('button', { name: 'Import', exact: true }).click();
    await form.getByText('1 waiver was requested.').waitFor();
    await form.getByText('Statement 2: It says that the vulnerability is fixed.').waitFor();
    await expectWellMade(page, 'waiver-imported');
    await form.getByRole('button', { name: 'Close' }).last().click();
  });

  it('reads why the own request needs another account, and withdraws it', async ({ page }) => {
    await page.getByRole('button', { name: 'CVE-2026-1111' }).click();
    const shown = dialog(page, 'Waiver');
    await shown.getByText('You requested this waiver.').waitFor();
    expect(await shown.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectWellMade(page, 'waiver-own');
    await shown.getByRole('button', { name: 'Withdraw' }).click();
    await shown.getByRole('button', { name: 'Withdraw' }).click();
    await shown.getByText('Revoked by').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
    await expectWellMade(page, 'waivers');
  });

  it('gets no error in the console', ({ visitor }) => {
    expect(visitor.faults).toEqual([]);
  });
});

let job = '';

describe('a reviewer', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('sees an empty queue', async ({ page }) => {
    await page.goto('/waivers');
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    await expectWellMade(page, 'waivers-queue-empty');
  });
});

describe('a developer whose image is blocked', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('reads who may open the gate, and requests a review of the blocking findings', async ({
    page,
  }) => {
    await page.goto('/staging/new');
    await page
      .getByRole('combobox', { name: 'Image' })
      .fill(`${browsed.upstream.host}/acme/old:1.0`);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor({ timeout: 90_000 });
    job = new URL(page.url()).pathname;
    await page.getByText('Accounts that may push blocked images and administrators').waitFor();
    await expectWellMade(page, 'job-review');
    await page.getByRole('button', { name: 'Request a review' }).click();
    const form = dialog(page, 'Request a review');
    await form.getByText('2 of 2 chosen').waitFor();
    const submit = form.getByRole('button', { name: 'Request 2 waivers' });
    expect(await submit.isDisabled()).toBe(true);
    await form.getByLabel('Reason').fill('The affected code is not reachable here.');
    await form.getByLabel('Ticket').fill('SEC-7');
    await expectWellMade(page, 'review-dialog');
    await submit.click();
    await page.getByText('2 waivers were requested.').waitFor();
    await page.getByText('Allowed: 0. Requested: 2.').waitFor();
    await page.getByText('Waiver requested by dev').first().waitFor();
    await expectWellMade(page, 'job-requested');
  });

  it('gets no error in the console', ({ visitor }) => {
    expect(visitor.faults).toEqual([]);
  });
});

describe('another reviewer', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('sees the count in the sidebar, and the queue', async ({ page }) => {
    await page.getByRole('link', { name: /Waivers.*2 waiting for your review/ }).click();
    await page.getByRole('cell', { name: /SEC-7/ }).first().waitFor();
    await expectWellMade(page, 'waivers-queue');
  });

  it('keeps a filter by a name', async ({ page }) => {
    await page.goto('/waivers?state=requested');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Mine', exact: true }).waitFor();
    await page.goto('/waivers');
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?state=requested');
    await expectWellMade(page, 'waivers-saved-filter');
    await page.goto('/waivers');
  });

  it('looks at the preview of each and approves it', async ({ page }) => {
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: /^CVE-/ }).first().click();
      const shown = dialog(page, 'Waiver');
      await shown.getByRole('heading', { name: 'What it would cover today' }).waitFor();
      if (left === 1) await expectWellMade(page, 'waiver-review');
      await shown.getByRole('button', { name: 'Approve' }).click();
      await shown.getByText('In force').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('button', { name: /^CVE-/ }).count()).toBe(left);
    }
    await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  });

  it('gets no error in the console', ({ visitor }) => {
    expect(visitor.faults).toEqual([]);
  });
});

describe('the developer whose waivers were approved', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('pushes the image, and reads who allowed it until when', async ({ page }) => {
    await page.goto(job);
    await page.getByText('Allowed: 2. Requested: 0.').waitFor();
    await page.getByRole('button', { name: 'Push…' }).click();
    await dialog(page, 'Push image')
      .getByText(/Allowed by waivers until/)
      .waitFor();
    await dialog(page, 'Push image').getByRole('button', { name: 'Push', exact: true }).click();
    const pushes = page.locator('section').filter({ hasText: 'Pushes' });
    await pushes.getByText(/Allowed by admin until .*: CVE-/).waitFor({ timeout: 60_000 });
    await expectWellMade(page, 'job-allowed');
  });

  it('reads the same at the image', async ({ page }) => {
    await page.goto('/images/__local__/team/old?tag=1.0');
    await page
      .getByText(/Allowed by admin until/)
      .first()
      .waitFor();
    await expectWellMade(page, 'image-allowed');
  });
});

function vexDocument() {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://vendor.example/vex/1',
    author: 'Vendor',
    timestamp: '2026-11-22T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name: 'CVE-2026-1111' },
        products: [{ '@id': `sha256:${'a'.repeat(64)}` }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
        impact_statement: 'The server is built without TLS.',
      },
      { vulnerability: { name: 'CVE-2026-2222' }, status: 'fixed' },
    ],
  };
}
