/** Tokens of an account and of a robot in a browser: selected, and revoked together. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';

const NAMES = ['laptop', 'pipeline', 'backup', 'old'];

let browsed: BrowsedProduct;
let admin: Call;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  admin = await logIn(browsed.product, ...ADMIN);
});
afterAll(() => browsed?.stop());

const bar = (page: Page) => page.getByRole('region', { name: 'Selected rows' });
const box = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

async function addTokens(path: string): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  for (const name of NAMES) {
    const { status, body } = await admin('POST', path, { name, scope: 'api' });
    expect(status).toBe(201);
    made.set(name, body.token);
  }
  return made;
}

async function statusOf(token = ''): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${browsed.product.url}/api/auth/me`, { headers })).status;
}

const statuses = (made: Map<string, string>) => Promise.all([...made.values()].map(statusOf));

describe('the own tokens', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

  it('are selected with Shift, and revoked together after a confirmation', async ({ page }) => {
    const made = await addTokens('/api/auth/tokens');
    await page.goto('/settings/account');
    // Newest first.
    await box(page, 'backup').click();
    await box(page, 'laptop').click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 rows selected').waitFor();
    await bar(page).getByRole('button', { name: 'Revoke' }).click();
    const question = dialog(page, 'Revoke 3 tokens?');
    await question.getByText('backup, pipeline and laptop').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await statuses(made)).toEqual([200, 200, 200, 200]);
    await bar(page).getByRole('button', { name: 'Revoke' }).click();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('3 tokens were revoked.').waitFor();
    await bar(page).waitFor({ state: 'detached' });
    await expect.poll(() => statuses(made)).toEqual([401, 401, 401, 200]);
    const left = page.getByRole('checkbox', { name: /^Select \w+$/ });
    await expect.poll(() => left.count()).toBe(1);
  });

  it('are sorted by their headings', async ({ page }) => {
    const first = () => page.locator('tbody tr').first().getByRole('strong').textContent();
    await addTokens('/api/auth/tokens');
    await page.goto('/settings/account');
    await expect.poll(first).toBe('old');
    await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).click();
    await expect.poll(first).toBe('backup');
    await expect.poll(() => new URL(page.url()).search).toBe('?tokens=name');
    for (const { id } of await bodyOf(admin('GET', '/api/auth/tokens')))
      await admin('DELETE', `/api/auth/tokens/${id}`);
    await admin('POST', '/api/auth/tokens', { name: 'third', scope: 'api' });
  });

  it('that another page has revoked meanwhile are counted with the reason', async ({ page }) => {
    await admin('POST', '/api/auth/tokens', { name: 'gone', scope: 'api' });
    await admin('POST', '/api/auth/tokens', { name: 'left', scope: 'api' });
    await page.goto('/settings/account');
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await bar(page).getByText('3 rows selected').waitFor();
    const tokens: { id: string; name: string }[] = await bodyOf(admin('GET', '/api/auth/tokens'));
    const gone = tokens.find(({ name }) => name === 'gone');
    expect((await admin('DELETE', `/api/auth/tokens/${gone?.id}`)).status).toBe(204);
    await bar(page).getByRole('button', { name: 'Revoke' }).click();
    await dialog(page, 'Revoke 3 tokens?').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Done: 2 rows. Not done: 1 row.').waitFor();
    await page.getByText('1: This token no longer exists').waitFor();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
  });
});

describe('the tokens of a robot', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

  it('are selected in their dialog, and revoked together', async ({ page }) => {
    const robot = await bodyOf(admin('POST', '/api/robots', { name: 'acme-ci' }));
    const made = await addTokens(`/api/robots/${robot.id}/tokens`);
    await page.goto('/settings/robots');
    await page.getByRole('button', { name: 'acme-ci', exact: true }).click();
    const list = dialog(page, 'Tokens of acme-ci');
    await list.getByRole('checkbox', { name: 'Select all loaded rows' }).click();
    await box(page, 'pipeline').click();
    await bar(page).getByText('3 rows selected').waitFor();
    await bar(page).getByRole('button', { name: 'Revoke' }).click();
    const question = dialog(page, 'Revoke 3 tokens?');
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('3 tokens were revoked.').waitFor();
    await expect.poll(() => statuses(made)).toEqual([401, 200, 401, 401]);
    await list.getByRole('cell', { name: /^pipeline/ }).waitFor();
    await expect.poll(() => list.getByRole('row').count()).toBe(2);
  });
});
