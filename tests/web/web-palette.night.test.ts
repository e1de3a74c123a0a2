/** The command palette, in a browser with the running product. */
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { openSql } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { reportWith } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectFocused, onPhone, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { seedJobs } from '../support/seeded-jobs.ts';

const OPENSSL = 'CVE-2026-4711';

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let store: Store;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  for (const repository of ['team/shop', 'team/shop/front-end', 'secret/shop'])
    await tagged(repository);
  await vulnerabilitiesKnown();
  await seedJobs(
    browsed.product,
    { owner: DEVELOPER[0], count: 1, image: 'acme/warehouse', verdict: 'blocked' },
    { owner: ADMIN[0], count: 1, image: 'acme/warehouse-of-others' },
  );
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

async function tagged(repository: string): Promise<void> {
  const digest = `sha256:${Buffer.from(repository).toString('hex').padEnd(64, '0').slice(0, 64)}`;
  const at = new Date();
  await store.images.record({ repository, tag: '1.0', digest, manifests: [], at });
  const report = reportWith([{ id: OPENSSL, severity: 'CRITICAL' }]);
  await store.reports.record({ digest, report, scannedAt: at });
}

/** As the worker that judges images writes it a little later. */
async function vulnerabilitiesKnown(): Promise<void> {
  const sql = await openSql(await browsed.product.databaseUrl());
  await sql.query(
    `INSERT INTO known_vulnerabilities SELECT DISTINCT vulnerability, now() FROM image_findings
     ON CONFLICT DO NOTHING`,
  );
  await sql.end();
}

const field = (page: Page) => page.getByRole('dialog').getByRole('combobox');
const options = (page: Page) => page.getByRole('option');
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const active = (page: Page) => page.getByRole('option', { selected: true });
/** A key that is pressed before the page listens is lost. */
async function search(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Search|Suchen|Rechercher)$/ }).waitFor();
  await page.keyboard.press('Control+k');
}
/** Enter chooses the selected option, which the typed text changes a little later. */
async function choose(page: Page, text: string, name: string | RegExp): Promise<void> {
  await field(page).fill(text);
  await active(page).and(page.getByRole('option', { name })).waitFor();
  await page.keyboard.press('Enter');
}
const isClosed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER, { hasOwnSession: true }));

  it('opens the search with a key, also from a text field', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await expectFocused(field(page));
    await group(page, 'Pages and actions').getByRole('option', { name: 'Repositories' }).waitFor();
    await expect.poll(() => group(page, 'Last used').count()).toBe(0);
    await expect.poll(() => page.getByRole('option', { name: 'Users' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await isClosed(page);
  });

  it('finds images, folders and pages, and remembers what was used last', async ({ page }) => {
    // The developer finds images that may be pulled, and opens one with the keyboard.
    await page.goto('/staging');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await field(page).fill('shop');
    const images = group(page, 'Images in the registry');
    await images.getByRole('option').nth(1).waitFor();
    await expect
      .poll(() => options(page).allTextContents())
      .toEqual(['team/shop1 tag', 'team/shop/front-end1 tag']);
    const first = await field(page).getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => field(page).getAttribute('aria-activedescendant')).not.toBe(first);
    await expect.poll(() => active(page).textContent()).toContain('front-end');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/images/__local__/team/shop');
    await isClosed(page);
    // The developer finds a folder, and leads to its page.
    await page.keyboard.press('Control+k');
    await field(page).fill('team');
    await group(page, 'Folders').getByRole('option', { name: 'team' }).click();
    await page.waitForURL('**/folders/team');
    await page.getByRole('heading', { name: 'team', level: 1 }).waitFor();
    await isClosed(page);
    // The developer finds a page by its name, and remembers what was used last.
    await page.keyboard.press('Control+k');
    await field(page).fill('waiv');
    await page.getByRole('option', { name: 'Waivers' }).click();
    await page.waitForURL('**/waivers');
    await isClosed(page);
    await page.keyboard.press('Control+k');
    await group(page, 'Last used').waitFor();
    const used = group(page, 'Last used').getByRole('option');
    await expect.poll(() => used.allTextContents()).toEqual(['Waivers', 'team', 'team/shop1 tag']);
    await page.keyboard.press('Escape');
    await isClosed(page);
  });

  it('finds a job that the account requested, and opens it', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await field(page).fill('warehouse');
    const jobs = group(page, 'Staging jobs').getByRole('option');
    await jobs.filter({ hasText: /^acme\/warehouse:1Blocked · / }).waitFor();
    await expect.poll(() => options(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/staging\/[-0-9a-f]{36}$/);
    await page.getByRole('heading', { name: 'acme/warehouse:1', level: 1 }).waitFor();
    await isClosed(page);
  });

  it('finds a vulnerability, and reads which images have it', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await field(page).fill('2026-4711');
    const found = group(page, 'Vulnerabilities').getByRole('option');
    await found.filter({ hasText: new RegExp(`^${OPENSSL}Critical`) }).click();
    await page.waitForURL(`**/vulnerabilities/${OPENSSL}`);
    await page.getByRole('heading', { name: OPENSSL, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'team/shop:1.0' }).waitFor();
    await isClosed(page);
  });

  it('changes the appearance and the language', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await choose(page, 'appearance dark', /dark/i);
    await page.locator('[data-mantine-color-scheme="dark"]').first().waitFor();
    await isClosed(page);
    await page.keyboard.press('Control+k');
    await choose(page, 'deutsch', /Deutsch/);
    await page.getByRole('link', { name: 'Prüfungen', exact: true }).waitFor();
    await isClosed(page);
    await page.keyboard.press('Control+k');
    await choose(page, 'english', /English/);
    await page.getByRole('link', { name: 'Reviews', exact: true }).waitFor();
    await isClosed(page);
  });

  it('reads that nothing was found', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await field(page).fill('nothing has this name');
    await page.getByText('Nothing found').waitFor();
    await expect.poll(() => field(page).getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Escape');
    await isClosed(page);
  });

  it('searches on a phone', async ({ page }) => {
    await page.goto('/staging');
    await onPhone(page, 'palette-button', async () => {
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await field(page).fill('front');
      await page.getByRole('option', { name: 'team/shop/front-end' }).click();
      await page.waitForURL('**/images/__local__/team/shop/front-end');
    });
  });

  it('leaves nothing in the browser when signing out', async ({ page }) => {
    const kept = () => page.evaluate(() => Object.keys(localStorage).join());
    await page.goto('/staging');
    await search(page);
    await field(page).fill('waiv');
    await page.getByRole('option', { name: 'Waivers' }).click();
    await page.waitForURL('**/waivers');
    await isClosed(page);
    await expect.poll(kept).toContain('portcullis.recent');
    await page.keyboard.press('Control+k');
    await choose(page, 'sign out', 'Sign out');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expect.poll(kept).not.toContain('portcullis.recent');
  });
});

describe.each([
  { language: 'de', jobs: 'Staging-Jobs', vulnerabilities: 'Schwachstellen' },
  { language: 'fr', jobs: 'Jobs de transit', vulnerabilities: 'Vulnérabilités' },
])('a developer who reads $language', ({ language, ...groups }) => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER, { language }));

  it('finds the same under the words of the language', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await field(page).waitFor();
    await field(page).fill('warehouse');
    await group(page, groups.jobs).getByRole('option').waitFor();
    await field(page).fill(OPENSSL);
    await group(page, groups.vulnerabilities).getByRole('option', { name: OPENSSL }).waitFor();
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('finds a person, and sees the account in the list', async ({ page }) => {
    await page.goto('/staging');
    await search(page);
    await field(page).fill('dev');
    await group(page, 'People').getByRole('option', { name: 'dev' }).click();
    await page.waitForURL('**/settings/users?q=dev');
    await page.getByRole('row', { name: /dev/ }).waitFor();
  });

  it('begins a new entry, also on its own page, and changes the password', async ({ page }) => {
    await page.goto('/staging');
    for (const from of ['another page', 'its own page']) {
      await search(page);
      await choose(page, 'new group', 'New group');
      const dialog = page.getByRole('dialog', { name: 'New group' });
      await dialog.waitFor();
      await expect.poll(() => new URL(page.url()).search, { message: from }).toBe('');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await search(page);
    await choose(page, 'new schedule', 'New schedule');
    await page.waitForURL('**/transfers/schedules/new');
    await search(page);
    await choose(page, 'change password', 'Change password');
    await expectFocused(page.getByLabel('Current password'));
  });
});
