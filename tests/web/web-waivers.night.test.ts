/** Waivers in a browser: from a blocked image to its review, and to the push. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, DEVELOPER } from '../support/developer.ts';
import { bodyOf, logIn } from '../support/product.ts';

let browsed: SuppliedProduct;
let browser: Browser;
let url: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ browser, url } = browsed);
});

afterAll(() => browsed?.stop());

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
/** The buttons that stand out in the page. */
const mainActions = (page: Page) =>
  page.getByRole('main').locator('button[data-variant=filled]').allTextContents();

/** Escape asks before it discards what was typed, and the field keeps it. */
async function expectAsks(page: Page, field: Locator): Promise<void> {
  const question = dialog(page, 'Leave without saving?');
  const typed = await field.inputValue();
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
  await expect.poll(() => field.inputValue()).toBe(typed);
}

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), NO_FAULTS);

  it('imports an OpenVEX document, and withdraws what was requested', async ({ page }) => {
    // The developer reads what to do where there are no waivers.
    await page.goto('/waivers');
    await page.getByRole('heading', { name: 'No waivers yet' }).waitFor();
    // The developer imports an OpenVEX document, and reads what was skipped and why.
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
    await form.getByRole('button', { name: 'Import', exact: true }).click();
    await form.getByText('1 waiver was requested.').waitFor();
    await form.getByText('Statement 2: It says that the vulnerability is fixed.').waitFor();
    await form.getByRole('button', { name: 'Close' }).last().click();
    // The developer reads why the own request needs another account, and withdraws it.
    await page.getByRole('button', { name: 'CVE-2026-1111' }).click();
    const shown = dialog(page, 'Waiver');
    await shown.getByText('You requested this waiver.').waitFor();
    await expect.poll(() => shown.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await shown.getByRole('button', { name: 'Withdraw' }).click();
    await shown.getByRole('textbox').fill('A wrong import.');
    await expectAsks(page, shown.getByRole('textbox'));
    await shown.getByRole('button', { name: 'Withdraw' }).click();
    await shown.getByText('Revoked by').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
  });
});

let job = '';

/** A waiver of each finding that blocks the job. */
async function requestEach(jobId: string): Promise<void> {
  const developer = await logIn(browsed.product, ...DEVELOPER);
  const { digest, vuln_result: result } = await bodyOf(
    developer('GET', `/api/staging/jobs/${jobId}`),
  );
  const blocking = result.vulnerabilities.filter(({ severity }: { severity: string }) =>
    result.severities.includes(severity),
  );
  for (const { id } of blocking) {
    const request = {
      ...{ vulnerability: id, digest, folder: 'team', ticket: 'SEC-7', status: 'accepted' },
      reason: 'The affected code is not reachable here.',
      expires_at: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    };
    expect((await developer('POST', '/api/waivers', request)).status).toBe(201);
  }
}

describe('a reviewer', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('sees an empty queue', async ({ page }) => {
    await page.goto('/waivers');
    await page.getByRole('heading', { name: 'No single waiver waits for you' }).waitFor();
  });
});

describe('a developer whose image is blocked', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER), NO_FAULTS);

  it('reads who may open the gate, and asks for a review; single waivers are requested by the API', async ({
    page,
  }) => {
    await page.goto('/staging/new');
    await page
      .getByRole('combobox', { name: 'Image' })
      .fill(`${browsed.upstream.host}/acme/old:1.0`);
    await page.getByRole('button', { name: 'Pull and scan' }).click();
    await page.getByRole('heading', { name: 'Blocked by policy' }).waitFor();
    job = new URL(page.url()).pathname;
    await page.getByText('Reviews are decided by admin.').waitFor();
    await expect.poll(() => mainActions(page)).toEqual(['Request a review']);
    await page.getByRole('button', { name: 'Request a review' }).click();
    const form = dialog(page, 'Request a review');
    const submit = form.getByRole('button', { name: 'Request a review' });
    await expect.poll(() => submit.isDisabled()).toBe(true);
    const why = form.getByLabel('Why is it needed?');
    await why.fill('The affected code is not reachable here.');
    await expectAsks(page, why);
    await page.keyboard.press('Escape');
    await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click();
    await requestEach(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    await page.reload();
    await page.getByText('0 in force, 2 requested.').waitFor();
    await page.getByText('Waiver requested by dev').first().waitFor();
  });
});

describe('another reviewer', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN), NO_FAULTS);

  it('sees the count in the sidebar, and the queue', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: /Reviews.*2 waiting for your review/ }).click();
    await page.getByRole('link', { name: 'Waivers', exact: true }).click();
    await page.waitForURL('**/waivers');
    await page.getByRole('cell', { name: /SEC-7/ }).first().waitFor();
  });

  it('keeps a filter by a name', async ({ page }) => {
    await page.goto('/waivers?state=requested&sort=expires_at');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Mine', exact: true }).waitFor();
    await page.goto('/waivers');
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?state=requested&sort=expires_at');
  });

  it('sorts all by the headings, and keeps the order in the address', async ({ page }) => {
    await page.goto('/waivers?state=all');
    const names = () => page.getByRole('button', { name: /^CVE-/ }).allTextContents();
    await expect.poll(names).toHaveLength(3);
    const sorted = (await names()).toSorted();
    const direction = (name: string) =>
      page.getByRole('columnheader', { name }).getAttribute('aria-sort');
    const sortBy = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await sortBy('Vulnerability');
    await expect.poll(names).toEqual(sorted);
    await expect.poll(() => direction('Vulnerability')).toBe('ascending');
    await sortBy('Vulnerability');
    await expect.poll(names).toEqual(sorted.toReversed());
    await expect.poll(() => direction('Vulnerability')).toBe('descending');
    await expect.poll(() => new URL(page.url()).search).toBe('?state=all&sort=-vulnerability');
    await page.reload();
    await expect.poll(names).toEqual(sorted.toReversed());
    await sortBy('State');
    await expect.poll(async () => (await names()).at(-1)).toBe('CVE-2026-1111');
    await sortBy('End');
    await expect.poll(async () => (await names())[0]).toBe('CVE-2026-1111');
    await page.setViewportSize({ width: 360, height: 740 });
    await sortBy('Requested');
    await expect.poll(async () => (await names()).at(-1)).toBe('CVE-2026-1111');
    await expect.poll(() => new URL(page.url()).search).toBe('?state=all');
  });

  it('looks at the preview of each and approves it', async ({ page }) => {
    await page.goto('/waivers');
    for (const left of [1, 0]) {
      await page.getByRole('button', { name: /^CVE-/ }).first().click();
      const shown = dialog(page, 'Waiver');
      await shown.getByRole('heading', { name: 'What it would cover today' }).waitFor();
      await shown.getByRole('button', { name: 'Approve' }).click();
      await shown.getByText('In force').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('button', { name: /^CVE-/ }).count()).toBe(left);
    }
    await page.getByRole('heading', { name: 'No single waiver waits for you' }).waitFor();
  });
});

describe('the developer whose waivers were approved', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('pushes the image, and reads who allowed it until when', async ({ page }) => {
    await page.goto(job);
    await page.getByText('2 in force, 0 requested.').waitFor();
    await expect.poll(() => mainActions(page)).toEqual(['Push…']);
    await page.getByRole('button', { name: 'Push…' }).click();
    await dialog(page, 'Push image')
      .getByText(/Allowed by waivers until/)
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog(page, 'Push image').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Push…' }).click();
    const tag = dialog(page, 'Push image').getByRole('textbox', { name: 'Tag' });
    await tag.fill('1.1');
    await expectAsks(page, tag);
    await tag.fill('1.0');
    await dialog(page, 'Push image').getByRole('button', { name: 'Push', exact: true }).click();
    const pushes = page.locator('section').filter({ hasText: 'Pushes' });
    await pushes.getByText(/Allowed by admin until .*: CVE-/).waitFor();
  });

  it('reads the same at the image', async ({ page }) => {
    await page.goto('/images/__local__/team/old?tag=1.0');
    await page
      .getByText(/Allowed by admin until/)
      .first()
      .waitFor();
  });
});

const MANY = 55;

describe('a reviewer of many requests', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN), NO_FAULTS);
  const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
  const boxes = (page: Page) =>
    page.getByRole('row').getByRole('checkbox', { name: /^Select CVE-/ });
  const inState = async (state: string) => {
    const admin = await logIn(browsed.product, ...ADMIN);
    return (await bodyOf(admin('GET', `/api/waivers?q=CVE-2027&state=${state}&limit=200`))).length;
  };

  beforeAll(async () => {
    const developer = await logIn(browsed.product, ...DEVELOPER);
    const statements = Array.from({ length: MANY }, (_, nth) => ({
      ...vexDocument().statements[0],
      vulnerability: { name: `CVE-2027-${1000 + nth}` },
    }));
    const document = { ...vexDocument(), '@id': 'https://vendor.example/vex/2', statements };
    const imported = await developer('POST', '/api/waivers/vex?folder=team', document);
    expect(imported.body.waivers, JSON.stringify(imported.body)).toHaveLength(MANY);
  });

  it('approves two of them after a time for undo', async ({ page }) => {
    await page.goto('/waivers?q=CVE-2027&sort=vulnerability');
    await expect.poll(() => boxes(page).count()).toBe(50);
    await boxes(page).nth(0).click();
    await boxes(page)
      .nth(1)
      .click({ modifiers: ['Shift'] });
    await bar(page).getByText('2 rows selected').waitFor();
    await expect
      .poll(() => bar(page).getByRole('button', { name: 'Revoke' }).isDisabled())
      .toBe(true);
    await bar(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByText('2 waivers will be approved.').waitFor();
    await page.getByRole('button', { name: 'CVE-2027-1001' }).waitFor({ state: 'detached' });
    await expect.poll(() => inState('approved')).toBe(2);
  });

  it('rejects all that match for one reason', async ({ page }) => {
    await page.goto('/waivers?q=CVE-2027&sort=vulnerability');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page)
      .getByRole('button', { name: `Select all ${MANY - 2} that match` })
      .click();
    await bar(page).getByRole('button', { name: 'Reject' }).click();
    const form = dialog(page, `Reject ${MANY - 2} waivers`);
    await expect.poll(() => form.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await form.getByLabel(/Why is it rejected/).fill('The code is reachable.');
    await expectAsks(page, form.getByLabel(/Why is it rejected/));
    await form.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('heading', { name: 'No matching waivers' }).waitFor();
    await expect.poll(() => inState('rejected')).toBe(MANY - 2);
  });

  it('revokes those that are in force', async ({ page }) => {
    await page.goto('/waivers?q=CVE-2027&state=approved');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByRole('button', { name: 'Revoke' }).click();
    const form = dialog(page, 'Revoke 2 waivers');
    await form.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'No matching waivers' }).waitFor();
    await expect.poll(() => inState('revoked')).toBe(2);
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
