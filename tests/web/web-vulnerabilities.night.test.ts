/** The vulnerabilities of images, in a browser with the running product. */
import type { ScanReport } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { epssFile } from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { reportWith } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { seedFeeds } from '../support/seeded-findings.ts';

const OPENSSL = 'CVE-2026-1234';
const OLD = 'CVE-2025-0001';

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
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

const digestOf = (repository: string) =>
  `sha256:${Buffer.from(repository).toString('hex').padEnd(64, '0').slice(0, 64)}`;

async function scanned(repository: string, report: ScanReport, at = new Date()): Promise<void> {
  const digest = digestOf(repository);
  await store.images.record({ repository, tag: '1.0', digest, manifests: [], at });
  await store.reports.record({ digest, report, scannedAt: at });
}

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('reads that there are none', async ({ page }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('heading', { name: 'No vulnerabilities' }).waitFor();
  });

  it('finds those of the images that may be pulled, the most severe first', async ({ page }) => {
    const critical = { id: OPENSSL, severity: 'CRITICAL' } as const;
    const before = new Date(Date.now() - 5 * 86_400_000);
    await scanned('team/old', reportWith([{ id: OLD, severity: 'MEDIUM' }]), before);
    await scanned('team/app', reportWith([critical]));
    await scanned('secret/app', reportWith([critical, { id: 'CVE-2026-9999', severity: 'HIGH' }]));
    await page.goto('/vulnerabilities');
    await page.getByRole('row', { name: new RegExp(`${OPENSSL}.*Critical.*1 image`) }).waitFor();
    const names = await page.getByRole('row').getByRole('link').allTextContents();
    expect(names).toEqual([OPENSSL, OLD]);
  });

  it('filters by what is new, and shares the address', async ({ page }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('switch', { name: 'New since yesterday' }).click();
    await page.getByRole('link', { name: OLD }).waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain('new=true');
    await page.reload();
    await page.getByRole('link', { name: OPENSSL }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: OLD }).count()).toBe(0);
    await page.getByRole('switch', { name: 'Known to be exploited' }).click();
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await expect.poll(() => page.url()).toContain('exploited=true');
    await page.getByRole('switch', { name: 'Known to be exploited' }).click();
    await page.getByLabel('Vulnerability or package').fill('nothing-has-this-name');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.getByRole('link', { name: OLD }).waitFor();
  });

  it('sorts by the headings, and keeps the order in the address and in a saved filter', async ({
    page,
  }) => {
    await page.goto('/vulnerabilities');
    const shown = () => page.getByRole('row').getByRole('link').allTextContents();
    const order = () => new URL(page.url()).search;
    const heading = page.getByRole('columnheader', { name: 'First seen' });
    await page.getByRole('button', { name: 'First seen' }).click();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(shown).toEqual([OPENSSL, OLD]);
    await page.getByRole('button', { name: 'First seen' }).click();
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(shown).toEqual([OLD, OPENSSL]);
    await expect.poll(() => order()).toBe('?sort=first_seen_at');
    await page.reload();
    await expect.poll(shown).toEqual([OLD, OPENSSL]);
    for (const [name, first] of [
      ['Vulnerability', OLD],
      ['Images', OPENSSL],
      ['Severity', OPENSSL],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(async () => (await shown())[0]).toBe(first);
    }
    await expect.poll(() => order()).toBe('?sort=-severity');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Severity', exact: true }).click();
    await expect.poll(shown).toEqual([OLD, OPENSSL]);
  });

  it('sees in how many namespaces each runs once a cluster reported, and sorts by it', async ({
    page,
  }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: OLD }).waitFor();
    const column = page.getByRole('columnheader', { name: 'Runs in' });
    await expect.poll(() => column.count()).toBe(0);
    const place = { cluster: 'eu', repository: 'team/old', digest: digestOf('team/old') };
    await store.runningImages.note(['shop', 'blog'].map((namespace) => ({ ...place, namespace })));
    await page.reload();
    await page
      .getByRole('row', { name: new RegExp(`${OLD}.*2 namespaces of 1 cluster`) })
      .waitFor();
    await page.getByRole('button', { name: 'Runs in' }).click();
    const shown = () => page.getByRole('row').getByRole('link').allTextContents();
    await expect.poll(shown).toEqual([OLD, OPENSSL]);
    await page.getByRole('link', { name: OLD }).click();
    await page.getByText('runs in 2 namespaces of 1 cluster').waitFor();
  });

  it('reads how probable an exploit is once the feed is read, and sorts by it', async ({
    page,
  }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: OLD }).waitFor();
    await expect.poll(() => page.getByRole('columnheader', { name: 'EPSS' }).count()).toBe(0);
    await seedFeeds(browsed.product, [
      epssFile([
        [OPENSSL, 0.004],
        [OLD, 0.5],
      ]),
    ]);
    const shown = async (sort: string) => {
      await page.goto(`/vulnerabilities?sort=${sort}`);
      await page.getByRole('link', { name: OLD }).waitFor();
      return page.getByRole('row').getByRole('link').allTextContents();
    };
    // The worker that judges images lists what they have.
    await expect.poll(() => shown('-epss')).toEqual([OLD, OPENSSL]);
    await page.getByRole('row', { name: new RegExp(`${OLD}.*50%`) }).waitFor();
    await page.getByRole('row', { name: new RegExp(`${OPENSSL}.*0.4%`) }).waitFor();
    await expect.poll(() => shown('epss')).toEqual([OPENSSL, OLD]);
  });

  it('keeps a filter by a name', async ({ page }) => {
    await page.goto('/vulnerabilities?fix=fixable&sort=-images');
    await page.getByRole('button', { name: 'Save filter…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Mine', exact: true }).waitFor();
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: 'Mine', exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?fix=fixable&sort=-images');
  });

  it('finds those of a package', async ({ page }) => {
    await page.goto('/vulnerabilities?q=openssl');
    const links = page.getByRole('row').getByRole('link');
    // The feed says that the older one is the more probable.
    await expect.poll(() => links.allTextContents()).toEqual([OLD, OPENSSL]);
    await page.goto('/vulnerabilities?q=openss-');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });

  it('reads which images have it, and opens one', async ({ page }) => {
    await page.goto('/vulnerabilities');
    await page.getByRole('link', { name: OPENSSL }).click();
    await page.getByRole('heading', { name: OPENSSL }).waitFor();
    const row = page.getByRole('row', { name: /team\/app:1\.0.*openssl 3\.0\.1.*Blocked/ });
    await row.waitFor();
    await expect.poll(() => page.getByText('secret/app').count()).toBe(0);
    const owners = page.getByRole('region', { name: 'Whose they are' });
    await owners.getByRole('definition').getByText('dev', { exact: true }).waitFor();
    const exposure = page.getByRole('region', { name: 'Exposure' });
    await exposure.getByText('1 image is served although the policy blocks it.').waitFor();
    await page.getByRole('term').filter({ hasText: 'Fixed in' }).waitFor();
    await row.getByText(/^fixed in /).waitFor();
    // No scan told more of it: that is no date and no score.
    const known = page.getByRole('region', { name: 'What is known' });
    await expect.poll(() => known.getByText('unknown').count()).toBeGreaterThan(3);
    await row.getByRole('link', { name: 'team/app:1.0' }).click();
    await page.waitForURL('**/images/__local__/team/app?tag=1.0');
  });

  it('asks for all images that it blocks at once, and none is asked about twice', async ({
    page,
  }) => {
    const dialog = page.getByRole('dialog');
    async function ask(): Promise<void> {
      await page.goto(`/vulnerabilities/${OPENSSL}`);
      const exposure = page.getByRole('region', { name: 'Exposure' });
      await exposure.getByRole('button', { name: 'Request a review for all' }).click();
      await dialog.getByRole('listitem').filter({ hasText: 'team/app:1.0for team' }).waitFor();
      await dialog.getByLabel('Why is it needed?').fill('the fix comes on Friday');
      await dialog.getByRole('button', { name: 'Request 1 review' }).click();
    }
    await ask();
    await dialog.getByText('1 review was requested.').waitFor();
    await ask();
    await dialog.getByText('No review was requested.').waitFor();
    await dialog.getByText('1 image has an open request already.').waitFor();
    await dialog.getByRole('link', { name: 'My requests' }).click();
    await page.getByText('the fix comes on Friday').waitFor();
    await page.getByText('Nothing is pushed: the image is in the folder already.').waitFor();
    await page.getByRole('link', { name: 'Open the image' }).click();
    await page.waitForURL('**/images/__local__/team/app?tag=1.0');
  });

  it('reads that an unknown one is in no image', async ({ page }) => {
    await page.goto('/vulnerabilities/CVE-2026-9999');
    await page.getByRole('heading', { name: 'Not in your images' }).waitFor();
  });
});

describe('an account that reviews', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('accepts the risk where it blocks images, which is proposed', async ({ page }) => {
    await page.goto(`/vulnerabilities/${OPENSSL}`);
    await page.getByRole('button', { name: 'Accept the risk…' }).click();
    const dialog = page.getByRole('dialog', { name: `Accept the risk of ${OPENSSL}` });
    const folder = dialog.getByRole('combobox', { name: 'Folder' });
    await expect.poll(() => folder.inputValue()).toBe('team');
    await dialog.getByLabel('Reason').fill('not reachable');
    await dialog.getByRole('button', { name: 'Request waiver' }).click();
    await page.getByText('1 waiver was requested.').waitFor();
    await page.getByRole('link', { name: 'Show waivers' }).click();
    await page.getByRole('row', { name: new RegExp(OPENSSL) }).waitFor();
  });
});
