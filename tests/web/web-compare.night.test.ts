/** Packages of images, and comparing two tags, pushed to and scanned by the running product. */

import {
  debianImage,
  eventually,
  helmChart,
  npmFiles,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { expectFocused, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { bodyOf, type Call, logIn } from '../support/product.ts';
import { sortBy } from '../support/sorted-list.ts';

const ZLIB = { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' };
const OLD = [
  ZLIB,
  { name: 'openssl', version: '3.0.11-1' },
  { name: 'tar', version: '1.34+dfsg-1.2' },
  { name: 'tzdata', version: '2024a-0' },
];
const NEW = [
  ZLIB,
  { name: 'openssl', version: '3.0.13-1' },
  { name: 'curl', version: '7.88.1-10' },
  { name: 'tzdata', version: '2023c-5' },
];

/** More than the drawer shows whole. */
const MANY = Array.from({ length: 150 }, (_, n) => ({
  name: `part-${String(n + 1).padStart(3, '0')}`,
  version: '1.0-1',
}));

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let browser: Browser;
let admin: Call;

beforeAll(async () => {
  upstream = await startRegistry();
  const database = await serveVulnerabilityDb(upstream.url);
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: upstream.host,
  });
  ({ browser } = browsed);
  await addDeveloper(browsed.product, ...DEVELOPER);
  admin = await logIn(browsed.product, ...ADMIN);
  await fillRegistry();
});

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

async function fillRegistry(): Promise<void> {
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  const { url } = browsed.product;
  const config = { Env: ['MODE=production', 'PORT=80'], Cmd: ['serve'], User: 'root' };
  const before = await debianImage({
    packages: OLD,
    more: [npmFiles([{ name: 'express', version: '4.0.0' }])],
    config,
  });
  const after = await debianImage({
    packages: NEW,
    more: [npmFiles([{ name: 'express', version: '4.0.0' }])],
    config: { ...config, Env: ['MODE=debug', 'PORT=80'], Cmd: ['serve', '--verbose', 'all of it'] },
  });
  await pushImage(url, 'team/app', '1.0', before, { credentials });
  await pushImage(upstream.url, 'acme/app', '1.0', before);
  await pushImage(url, 'team/app', '1.1', after, { credentials });
  await pushImage(url, 'team/app', 'stable', after, { credentials });
  await pushImage(url, 'team/chart', '1.0', await helmChart(), { credentials });
  await pushImage(url, 'secret/app', '1.0', before, { credentials });
  const many = await debianImage({ packages: MANY });
  await pushImage(url, 'team/many', '1.0', many, { credentials });
  for (const [repository, tags] of [
    ['team/app', 3],
    ['team/many', 1],
  ] as const)
    await eventually(
      () => scansOf(repository),
      (scans) => scans.length === tags && scans.every(Boolean),
    );
}

/** Whether each of its tags was scanned. */
async function scansOf(repository: string): Promise<boolean[]> {
  const path = `/api/images/__local__/tags?repository=${repository}`;
  const { status, body } = await admin('GET', path);
  if (status !== 200) return [];
  return body.map(({ standing }: { standing: { scanned_at: string | null } }) =>
    Boolean(standing.scanned_at),
  );
}

/** Stages what `team/app:1.0` has, as the developer, who may see the job. */
async function stage(): Promise<void> {
  const dev = await logIn(browsed.product, ...DEVELOPER);
  const source = { image: 'acme/app', tag: '1.0', source_registry_host: upstream.host };
  const { job_id } = await bodyOf(dev('POST', '/api/staging/pull', source));
  const statusOf = async () => (await bodyOf(dev('GET', `/api/staging/jobs/${job_id}`))).status;
  await expect.poll(statusOf).toBe('staged');
}

/** The first line of each of the first rows. */
const firstAre = (part: Locator, names: string[]) =>
  expect
    .poll(async () => {
      const cells = part.locator('tbody tr:not([aria-hidden] *) td:first-child');
      const texts = (await cells.allInnerTexts()).map((text) => text.split('\n')[0]?.trim());
      return texts.slice(0, 3);
    })
    .toEqual(names);
const region = (page: Page, name: string) => page.getByRole('region', { name });
const side = (page: Page, name: string) => page.getByRole('group', { name });
const compared = (query: Record<string, string>) =>
  `/images/__local__/-/compare?${new URLSearchParams(query)}`;

const APP = { repository: 'team/app', from: '1.0', to: '1.1' };

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, browsed.product.url, DEVELOPER));

  it('reads the packages of a tag, searches them, and sees the layer of one', async ({ page }) => {
    await page.goto('/images/__local__/team/app?tag=1.0');
    const drawer = page.getByRole('dialog', { name: 'team/app:1.0' });
    await drawer.getByRole('tab', { name: 'Packages' }).click();
    await drawer.getByText('5 packages').waitFor();
    await drawer.getByRole('row', { name: /openssl.*3\.0\.11-1.*Layer 1/ }).waitFor();
    await drawer.getByLabel('Package name').fill('EXPR');
    await drawer.getByText('1 package', { exact: true }).waitFor();
    const found = drawer.getByRole('row', { name: /express.*4\.0\.0.*MIT/ });
    await found.getByRole('button', { name: 'Layer 2' }).click();
    const layer = drawer.getByRole('listitem').and(drawer.locator('[aria-current]'));
    await layer.waitFor();
    await expect.poll(() => layer.getByRole('code').textContent()).toBe('layer 1');
    await expectFocused(layer);
    await drawer.getByRole('button', { name: 'Packages of layer 1' }).click();
    await drawer.getByText('Layer 1', { exact: true }).first().waitFor();
    await drawer.getByRole('row', { name: /openssl.*3\.0\.11-1.*Layer 1/ }).waitFor();
    await expect
      .poll(() => drawer.getByRole('button', { name: 'Layer 2', exact: true }).count())
      .toBe(0);
    await drawer.getByRole('button', { name: 'Show all layers' }).click();
    await drawer.getByRole('button', { name: 'Layer 2', exact: true }).first().waitFor();
  });

  it('sorts them by their headings, and the address keeps the part, order and search', async ({
    page,
  }) => {
    await page.goto('/images/__local__/team/app?q=1&tag=1.0');
    const drawer = page.getByRole('dialog', { name: 'team/app:1.0' });
    await drawer.getByRole('tab', { name: 'Packages' }).click();
    await sortBy(drawer, 'Package');
    await firstAre(drawer, ['zlib1g', 'tzdata', 'tar']);
    await sortBy(drawer, 'Layer');
    await sortBy(drawer, 'Layer');
    await firstAre(drawer, ['express', 'openssl', 'tar']);
    await drawer.getByLabel('Package name').fill('a');
    await firstAre(drawer, ['tar', 'tzdata']);
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe('?q=1&tag=1.0&part=packages&package_sort=-layer&package=a');
    await page.reload();
    await firstAre(drawer, ['tar', 'tzdata']);
    await expect.poll(() => drawer.getByLabel('Package name').inputValue()).toBe('a');
    await drawer.getByRole('button', { name: 'Close' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await expect.poll(() => new URL(page.url()).search).toBe('?q=1');
  });

  it('of many packages only those in view are in the document', async ({ page }) => {
    await page.goto('/images/__local__/team/many?tag=1.0');
    const drawer = page.getByRole('dialog', { name: 'team/many:1.0' });
    await drawer.getByRole('tab', { name: 'Packages' }).click();
    await drawer.getByText(`${MANY.length} packages`).waitFor();
    await drawer.getByRole('button', { name: 'Show more' }).click();
    await drawer.locator(`table[aria-rowcount="${MANY.length + 1}"]`).waitFor();
    const shown = drawer.getByRole('row', { name: /part-\d+/ });
    await expect.poll(() => shown.count()).toBeLessThan(50);
    await shown.first().hover();
    await page.mouse.wheel(0, 20_000);
    await drawer.getByRole('row', { name: /part-150.*Layer 1/ }).waitFor();
    await page.mouse.wheel(0, -20_000);
    await drawer.getByRole('row', { name: /part-001.*Layer 1/ }).waitFor();
  });

  it('opens the vulnerabilities that a layer brought', async ({ page }) => {
    await stage();
    await page.goto('/images/__local__/team/app?tag=1.0');
    const drawer = page.getByRole('dialog', { name: 'team/app:1.0' });
    const layer = (step: string) =>
      drawer.getByRole('listitem').filter({ has: page.getByText(step, { exact: true }) });
    await layer('layer 0')
      .getByRole('img', { name: /critical/ })
      .waitFor();
    await expect.poll(() => layer('layer 1').getByRole('img').count()).toBe(0);
    await layer('layer 1').scrollIntoViewIfNeeded();
    await drawer.getByRole('link', { name: /vulnerabilit.* of layer 1$/ }).click();
    await page.getByText(/^Layer sha256:[0-9a-f]{12}$/).waitFor();
    await page.getByRole('button', { name: 'Show all layers' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('pages through them over the REST API', async () => {
    const dev = await logIn(browsed.product, ...DEVELOPER);
    const path = '/api/images/__local__/tags/packages';
    const names: string[] = [];
    let next: string | null = `${path}?repository=team/app&tag=1.0&limit=2`;
    for (; next !== null; ) {
      const { body, headers } = await dev('GET', next);
      names.push(...body.map(({ name }: { name: string }) => name));
      expect(headers.get('x-total-count')).toBe('5');
      next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(names).toEqual(['express', 'openssl', 'tar', 'tzdata', 'zlib1g']);
    const chart = await dev('GET', `${path}?repository=team/chart&tag=1.0`);
    expect([chart.status, chart.body.code]).toEqual([404, 'REPORT_UNKNOWN']);
    const secret = await dev('GET', `${path}?repository=secret/app&tag=1.0`);
    expect([secret.status, secret.body.code]).toEqual([403, 'FOLDER_FORBIDDEN']);
  });

  it('begins at a tag, and is asked for the other one', async ({ page }) => {
    await page.goto('/images/__local__/team/app');
    await page.getByRole('button', { name: 'Actions for 1.1' }).click();
    await page.getByRole('menuitem', { name: 'Compare with…' }).click();
    await page.getByRole('heading', { name: 'Choose two images' }).waitFor();
    const before = side(page, 'Before').getByRole('combobox', { name: 'Tag or digest' });
    await before.click();
    await page.getByRole('option', { name: '1.0', exact: true }).click();
    await region(page, 'Vulnerabilities').waitFor();
    await expect
      .poll(() => new URL(page.url()).search)
      .toBe('?repository=team%2Fapp&from=1.0&to=1.1');
  });

  it('reads which vulnerabilities are new, fixed and in both', async ({ page }) => {
    await page.goto(compared(APP));
    const found = region(page, 'Vulnerabilities');
    await found.getByRole('row', { name: /CVE-2099-0007.*High.*curl 7\.88\.1-10/ }).waitFor();
    await found.getByText('Fixed · 2').click();
    await found.getByRole('row', { name: /CVE-2099-0001.*Critical.*openssl 3\.0\.11-1/ }).waitFor();
    await found.getByRole('row', { name: /CVE-2099-0006.*Low.*tar/ }).waitFor();
    await found.getByText('In both · 1').click();
    await found.getByRole('row', { name: /CVE-2099-0002.*zlib1g/ }).waitFor();
  });

  it('sorts them by severity and name, and the address keeps kind and order', async ({ page }) => {
    await page.goto(compared(APP));
    const found = region(page, 'Vulnerabilities');
    await found.getByText('Fixed · 2').click();
    await firstAre(found, ['CVE-2099-0001', 'CVE-2099-0006']);
    await sortBy(found, 'Severity');
    await firstAre(found, ['CVE-2099-0006', 'CVE-2099-0001']);
    await page.reload();
    await firstAre(found, ['CVE-2099-0006', 'CVE-2099-0001']);
    await expect
      .poll(() => new URL(page.url()).search)
      .toMatch(/&findings=fixed&finding_sort=severity$/);
  });

  it('reads which packages changed, and filters them', async ({ page }) => {
    await page.goto(compared(APP));
    const packages = region(page, 'Packages');
    await packages.getByText('2 packages unchanged').waitFor();
    for (const change of [
      /curl.*Added.*7\.88\.1-10/,
      /openssl.*Upgraded.*3\.0\.11-1.*3\.0\.13-1/,
      /tar.*Removed.*1\.34/,
      /tzdata.*Downgraded.*2024a-0.*2023c-5/,
    ])
      await packages.getByRole('row', { name: change }).waitFor();
    await packages.getByLabel('Package name').fill('ssl');
    await packages.getByRole('row', { name: /curl/ }).waitFor({ state: 'detached' });
    await expect.poll(() => packages.getByRole('row').count()).toBe(2);
    await packages.scrollIntoViewIfNeeded();
    await packages.getByLabel('Package name').fill('t');
    await firstAre(packages, ['tar', 'tzdata']);
    await sortBy(packages, 'Package');
    await firstAre(packages, ['tzdata', 'tar']);
    await sortBy(packages, 'Change');
    await firstAre(packages, ['tar', 'tzdata']);
    await page.reload();
    await firstAre(packages, ['tar', 'tzdata']);
    await expect.poll(() => new URL(page.url()).search).toMatch(/&package=t&package_sort=change$/);
  });

  it('reads by how much the image has changed in size', async ({ page }) => {
    await page.goto(compared(APP));
    const sizes = page.getByRole('definition').filter({ hasText: /\d (?:bytes|kB)/ });
    await expect
      .poll(() => sizes.allTextContents())
      .toEqual([
        expect.stringMatching(/^[\d.,]+ (?:bytes|kB)$/),
        expect.stringMatching(/^[\d.,]+ (?:bytes|kB) · [\d.,]+ (?:bytes|kB) (?:larger|smaller)$/),
      ]);
  });

  it('reads which layers are shared, and what is configured otherwise', async ({ page }) => {
    await page.goto(compared(APP));
    const layers = region(page, 'Layers');
    for (const name of ['Only in team/app:1.0', 'Only in team/app:1.1', 'In both images'])
      await layers.getByRole('heading', { name }).waitFor();
    await expect.poll(() => layers.getByRole('listitem').count()).toBe(3);
    const configuration = region(page, 'Configuration');
    await configuration.getByRole('row', { name: /MODE.*production.*debug/ }).waitFor();
    await configuration
      .getByRole('row', { name: /Command serve serve --verbose 'all of it'/ })
      .waitFor();
    await expect.poll(() => configuration.getByText('PORT').count()).toBe(0);
  });

  it('swaps the two, and the address is of the new direction', async ({ page }) => {
    await page.goto(compared(APP));
    await page.getByRole('button', { name: 'Swap the two images' }).click();
    const found = region(page, 'Vulnerabilities');
    await found.getByText('New · 2').waitFor();
    await page.reload();
    await found.getByText('New · 2').waitFor();
    await expect.poll(() => page.url()).toContain('from=1.1&to=1.0');
  });

  it('reads that two tags are the same image', async ({ page }) => {
    await page.goto(compared({ repository: 'team/app', from: '1.1', to: 'stable' }));
    await page.getByRole('heading', { name: 'Both are the same image' }).waitFor();
  });

  it('reads which image could not be judged', async ({ page }) => {
    const query = { repository: 'team/app', from: '1.0', to_repository: 'team/chart', to: '1.0' };
    await page.goto(compared(query));
    const found = region(page, 'Vulnerabilities');
    await found.getByText('Vulnerabilities can be compared once both').waitFor();
    await found.getByText('team/chart:1.0').waitFor();
    await expect.poll(() => found.getByText('team/app:1.0').count()).toBe(0);
    await region(page, 'Packages').getByText('team/chart:1.0').waitFor();
  });

  it('may not compare with an image of a folder without permission', async ({ page }) => {
    await page.goto(compared(APP));
    const after = side(page, 'After');
    await after.getByRole('textbox', { name: 'Repository' }).fill('secret/app');
    await after.getByRole('textbox', { name: 'Repository' }).press('Enter');
    await page.getByRole('heading', { name: 'Choose two images' }).waitFor();
    await page.goto(
      compared({ repository: 'team/app', from: '1.0', to_repository: 'secret/app', to: '1.0' }),
    );
    await page.getByRole('heading', { name: 'Access denied' }).waitFor();
  });
});
