/** The pages of folders, in a browser with the running product. */

import type { ScanReport } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { eventually } from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import {
  blockedReport,
  cleanReport,
  reportWith,
} from '../../../apps/api/src/registry/gate/report.fixture.ts';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, speak, visitedBy } from '../../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../../support/developer.ts';

const LONG = `${'a-very-long-name-'.repeat(12)}end`;

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let store: Store;
/** One time, because midnight may pass. */
let at: Date;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
  store = openStore(await browsed.product.databaseUrl(), sealer(Buffer.alloc(32)));
  await store.folders.insertFolder({ name: 'secret' });
  at = new Date();
  await scanned('team/clean', cleanReport());
  await scanned('team/warned', reportWith([{ id: 'CVE-2026-2', severity: 'LOW' }]));
  await scanned('team/shop', blockedReport());
  await scanned(`team/${LONG}`, cleanReport());
  await scanned('team/new', null);
  await scanned('secret/app', blockedReport());
  await eventually(
    async () => (await store.folderOverviews.figures(['team']))[0]?.images,
    (images) => images?.findings === 1 && images.blocked === 1 && images.clean === 2,
  );
});
afterAll(async () => {
  await store?.close();
  await browsed?.stop();
});

async function scanned(repository: string, report: ScanReport | null): Promise<void> {
  const digest = `sha256:${Buffer.from(repository).toString('hex').slice(-64).padStart(64, '0')}`;
  const manifest = {
    ...{ digest, mediaType: 'application/vnd.oci.image.manifest.v1+json', artifactType: null },
    ...{ subject: null, size: 100, contents: [], platforms: ['linux/amd64'] },
  };
  await store.images.record({ repository, tag: '1.0', digest, manifests: [manifest], at });
  if (report) await store.reports.record({ digest, report, scannedAt: at });
}

const format = (bytes: number) => (bytes < 1000 ? `${bytes} bytes` : `${bytes / 1000} kB`);

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('finds the folders that may be pulled from, with what is blocked', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: 'Images', exact: true }).click();
    await page.getByRole('row', { name: /team.*1 Blocked.*5 images.*pull.*push/ }).waitFor();
    await expect.poll(() => page.getByText('secret').count()).toBe(0);
    await page.getByRole('link', { name: 'team', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'team' }).waitFor();
  });

  it('reads the most urgent images first, and why they are blocked', async ({ page }) => {
    await page.goto('/folders/team');
    const rows = page.getByRole('region', { name: 'Images' }).getByRole('row');
    await rows.filter({ hasText: /shop:1\.0.*Blocked.*because of CVE-2026-1234/ }).waitFor();
    const links = await rows.getByRole('link').allTextContents();
    expect(links.slice(0, 3)).toEqual(['shop:1.0', 'warned:1.0', 'new:1.0']);
  });

  it('reads what it may do, whom to ask, and what the gate does', async ({ page }) => {
    await page.goto('/folders/team');
    const access = page.getByRole('region', { name: 'Who may do what' });
    await access.getByText('You may pull, push').waitFor();
    await access.getByText(`May push: ${DEVELOPER[0]}.`).waitFor();
    await expect.poll(() => access.getByText('developers').count()).toBe(0);
    const gate = page.getByRole('region', { name: 'Policy and gates' });
    await gate.getByText('Blocks images with a vulnerability rated Critical or High').waitFor();
    await gate.getByText('Always served').waitFor();
    const events = page.getByRole('region', { name: 'Activity' }).getByRole('listitem');
    await events.filter({ hasText: /team\/shop:1\.0\s*was blocked/ }).waitFor();
    await events.filter({ hasText: /team\/clean:1\.0\s*was pushed/ }).waitFor();
  });

  it('reads how much of its quota the folder uses, and that it is almost full', async ({
    page,
  }) => {
    await page.goto('/folders/team');
    await page.getByText('500 bytes on disk').waitFor();
    const team = await store.folders.get('team');
    const meter = page.getByRole('meter', { name: 'Quota used' });
    for (const [quotaBytes, state] of [
      [1000, null],
      [555, 'Almost full'],
      [500, 'Full: nothing can be added'],
      [550, 'Almost full'],
    ] as const) {
      await store.folders.update(team.id, { quotaBytes });
      await page.reload();
      await page.getByText(`500 bytes of ${format(quotaBytes)}`).waitFor();
      await expect
        .poll(() => meter.getAttribute('aria-valuetext'))
        .toBe(`500 bytes of ${format(quotaBytes)}`);
      await expect.poll(() => meter.getAttribute('max')).toBe(String(quotaBytes));
      for (const each of ['Almost full', 'Full: nothing can be added'])
        await expect.poll(() => page.getByText(each).count()).toBe(each === state ? 1 : 0);
    }
  });

  it('reads what scans found on each day, also of one repository', async ({ page }) => {
    await page.goto('/folders/team');
    const chart = page.getByRole('region', { name: 'Vulnerabilities by scan date' });
    await chart.getByText(/Scans on 1 day .*: 2 vulnerabilities in 4 images/).waitFor();
    await page.goto('/images/__local__/team/shop');
    await chart.getByText(/Scans on 1 day .*: 1 vulnerability in 1 image/).waitFor();
    await page.goto('/images/__local__/team/new');
    await chart.getByText('No scans in the last 30 days.').waitFor();
    await page.goto('/folders/team');
    await page.getByRole('heading', { level: 1, name: 'team' }).waitFor();
  });

  it('filters the images, and shares the address', async ({ page }) => {
    await page.goto('/folders/team');
    await page.getByRole('button', { name: /^Clean/ }).click();
    await page.getByRole('link', { name: 'shop:1.0', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => page.url()).toContain('standing=clean');
    await page.reload();
    await page.getByRole('link', { name: 'clean:1.0', exact: true }).waitFor();
    await page.getByLabel('Repository or tag').fill('nothing');
    await page.getByRole('heading', { name: 'No image matches.' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'shop:1.0', exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('shows at most two lines of a long name, and the whole name as its title', async ({
    page,
  }) => {
    await page.goto('/folders/team');
    const link = page.getByRole('region', { name: 'Images' }).getByTitle(`${LONG}:1.0`);
    const lines = await link.evaluate(
      (name) => name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight),
    );
    expect(Math.round(lines)).toBe(2);
  });

  it.for(['en', 'de', 'fr'])('has a page of a folder in %s', async (language, { page }) => {
    await page.goto('/folders/team');
    await speak(page, language);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'team' }).waitFor();
    await page.getByRole('link', { name: 'shop:1.0', exact: true }).waitFor();
    await page.getByRole('slider').waitFor();
  });

  it('opens an image, and comes back by the breadcrumb', async ({ page }) => {
    await page.goto('/folders/team');
    await page.getByRole('link', { name: 'shop:1.0', exact: true }).click();
    await page.getByRole('heading', { name: 'team/shop', exact: true }).waitFor();
    const image = page.getByRole('dialog', { name: 'team/shop:1.0' });
    await image.waitFor();
    await page.keyboard.press('Escape');
    await image.waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByRole('link', { name: 'team', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'team', exact: true }).waitFor();
  });

  it('learns that a folder is unknown, whether it exists or not', async ({ page }) => {
    for (const name of ['secret', 'nowhere']) {
      await page.goto(`/folders/${name}`);
      await page.getByRole('heading', { name: 'No such folder' }).waitFor();
    }
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('reads the groups with their members, and changes the description', async ({ page }) => {
    await page.goto('/folders/team');
    const access = page.getByRole('region', { name: 'Who may do what' });
    await access.getByText('developers').waitFor();
    await access.getByText(DEVELOPER[0], { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Ours');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Ours', { exact: true }).waitFor();
  });

  it('finds the repositories in no folder, and an empty folder', async ({ page }) => {
    await page.goto('/folders/__root__');
    await page.getByRole('heading', { level: 1, name: 'No folder' }).waitFor();
    await page.getByRole('heading', { name: 'No images yet' }).waitFor();
    await page.getByText('Nothing happened yet.').waitFor();
    await page.getByText('No scans in the last 30 days.').waitFor();
  });
});
