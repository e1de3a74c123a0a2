/** The page of a job says which vulnerabilities its previous scan did not find. */
import { DEFAULT_POLICY, judge } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { sampleReport } from '@portcullis/testing/samples';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, speak, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';

let browsed: BrowsedProduct;
let store: Store;
let older: string;
let newer: string;
let nextTag: string;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await addDeveloper(browsed.product, ...DEVELOPER);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  older = await scanned(ADMIN[0], 1, [
    { id: 'CVE-2026-1', package: 'zlib' },
    { id: 'CVE-2026-2', package: 'openssl', severity: 'LOW' },
  ]);
  newer = await scanned(DEVELOPER[0], 2, [
    { id: 'CVE-2026-2', package: 'openssl', severity: 'LOW' },
    { id: 'CVE-2026-3', package: 'openssl', severity: 'CRITICAL' },
    { id: 'CVE-2026-4', package: 'curl', severity: 'MEDIUM' },
    { id: 'CVE-2026-5', package: 'zlib' },
    { id: 'CVE-2026-6', package: 'busybox' },
  ]);
  await scanned(DEVELOPER[0], 3, [{ id: 'CVE-2026-9', package: 'zlib' }], { image: 'acme/other' });
  const found = [{ id: 'CVE-2026-6', package: 'busybox' }];
  nextTag = await scanned(DEVELOPER[0], 4, [...found, { id: 'CVE-2026-7', package: 'curl' }], {
    tag: '1.1',
  });
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

/** As a worker leaves a job; its id grows with the number. */
async function scanned(
  username: string,
  number: number,
  found: Parameters<typeof sampleReport>[0],
  { image = 'acme/shop', tag = '1.0' }: { image?: string; tag?: string } = {},
): Promise<string> {
  const owner = await store.users.findByUsername(username);
  const id = `0199d1f0-0000-7000-8000-00000000000${number}`;
  await store.jobs.insert({
    ...{ id, ownerId: owner?.id ?? '', image, tag },
    source: { kind: 'host', registryId: null, host: 'registry.example' },
  });
  await store.jobs.update(id, (job) => {
    const { verdict, result } = judge(sampleReport(found), DEFAULT_POLICY, job.overrides);
    return { ...job, status: 'staged', verdict, vulnResult: result, finishedAt: new Date() };
  });
  return id;
}

const rows = (page: Page) => page.locator('li[aria-setsize] button[aria-expanded]');
const idsOf = async (page: Page) =>
  (await rows(page).allTextContents()).map((text) => /CVE-2026-\d/.exec(text)?.[0]).sort();

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

  it('reads which vulnerabilities are new, and since which scan', async ({ page }) => {
    await page.goto(`/staging/${newer}`);
    await page.getByRole('checkbox', { name: 'New only (4)' }).waitFor();
    await expect.poll(() => idsOf(page)).toHaveLength(5);
    const marked = rows(page).filter({ has: page.getByText('New', { exact: true }) });
    await expect.poll(() => marked.count()).toBe(4);
    await expect.poll(() => marked.filter({ hasText: 'CVE-2026-2' }).count()).toBe(0);
    const link = page.getByText('Previous scan:').getByRole('link');
    await expect.poll(() => link.getAttribute('href')).toBe(`/staging/${older}`);
  });

  it('filters by it, and shares the address', async ({ page }) => {
    await page.goto(`/staging/${newer}`);
    await page.getByRole('checkbox', { name: 'New only (4)' }).click();
    const fresh = ['CVE-2026-3', 'CVE-2026-4', 'CVE-2026-5', 'CVE-2026-6'];
    await page.getByText('4 of 5', { exact: true }).waitFor();
    await expect.poll(() => idsOf(page)).toEqual(fresh);
    await expect.poll(() => new URL(page.url()).searchParams.get('new')).toBe('true');
    await page.goto(`/staging/${newer}?new=true&by=package`);
    await page.getByText('4 of 5', { exact: true }).waitFor();
    const openssl = page.getByRole('button', { name: /openssl.*1 vulnerability/ });
    await openssl.getByText('New', { exact: true }).waitFor();
    await openssl.click();
    await page.getByRole('listitem').getByText('CVE-2026-3').waitFor();
  });

  it.for([
    ['de', 'Nur neue (4)', 'Vorheriger Scan:'],
    ['fr', 'Nouvelles uniquement (4)', 'Analyse précédente :'],
  ] as const)('reads the same in %s', async ([language, filter, previous], { page }) => {
    await page.goto(`/staging/${newer}`);
    await speak(page, language);
    await page.reload();
    await page.getByRole('checkbox', { name: filter }).waitFor();
    await page.getByText(previous).waitFor();
  });
});

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, DEVELOPER));

  it('reads what a new tag brings that the previous tag did not have', async ({ page }) => {
    await page.goto(`/staging/${nextTag}`);
    await page.getByRole('checkbox', { name: 'New only (1)' }).waitFor();
    const link = page.getByText('Previous scan, of the tag 1.0:').getByRole('link');
    await expect.poll(() => link.getAttribute('href')).toBe(`/staging/${newer}`);
  });

  it('reads why nothing is new where the previous scan is of another account', async ({ page }) => {
    await page.goto(`/staging/${newer}?new=true`);
    await page.getByText('Nothing is marked as new').waitFor();
    await page.getByText('5 of 5', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('checkbox', { name: /New only/ }).count()).toBe(0);
    await expect.poll(() => page.getByText('New', { exact: true }).count()).toBe(0);
  });
});
