/** The overview shows which images were blocked since yesterday. */
import type { ScanReport } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { eventually, openSql } from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { blockedReport, cleanReport } from '../../apps/api/src/registry/gate/report.fixture.ts';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';

let browsed: BrowsedProduct;
let browser: Browser;
let url: string;
let store: Store;
let sql: Awaited<ReturnType<typeof openSql>>;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  browser = browsed.browser;
  url = browsed.product.url;
  await addDeveloper(browsed.product, ...DEVELOPER);
  const databaseUrl = await browsed.product.databaseUrl();
  store = openStore(databaseUrl, sealer(Buffer.alloc(32)));
  sql = await openSql(databaseUrl);
  await scanned('team/shop', cleanReport());
  await scanned('team/checkout', blockedReport());
  await scanned('secret/app', cleanReport());
  const exists = async (rows: string) => (await sql.query(`SELECT 1 FROM ${rows}`)).rowCount;
  await eventually(() => exists('standing_runs WHERE filled_at IS NOT NULL'));
  await eventually(judged, ({ length }) => length === 3);
  await eventually(() => exists('known_vulnerabilities'));
  // The worker may have begun before the images were there: then all of this is news.
  await sql.query('UPDATE image_standings SET changed_at = NULL');
  await sql.query('UPDATE standing_runs SET filled_at = now()');
});
afterAll(async () => {
  await sql?.end();
  await store?.close();
  await browsed?.stop();
});

async function judged(): Promise<{ repository: string; passes: boolean | null }[]> {
  const { rows } = await sql.query(
    'SELECT repository, passes FROM image_standings WHERE passes IS NOT NULL ORDER BY repository',
  );
  return rows;
}

async function scanned(repository: string, report: ScanReport): Promise<void> {
  const digest = `sha256:${repository.length.toString(16).padStart(64, '0')}`;
  await store.images.record({ repository, tag: '1.0', digest, manifests: [], at: new Date() });
  await store.reports.record({ digest, report, scannedAt: new Date() });
}

describe('the overview of a developer', () => {
  const it = visitedBy(() => signedIn(browser, url, DEVELOPER));

  it('has no panel of changes where nothing changed', async ({ page }) => {
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect
      .poll(() => page.getByRole('heading', { name: 'New since yesterday' }).count())
      .toBe(0);
  });

  it('names the images that are blocked since yesterday, and why', async ({ page }) => {
    await scanned('team/shop', blockedReport());
    await scanned('team/checkout', cleanReport());
    await scanned('secret/app', blockedReport());
    await expect.poll(judged).toEqual([
      { repository: 'secret/app', passes: false },
      { repository: 'team/checkout', passes: true },
      { repository: 'team/shop', passes: false },
    ]);
    await page.goto('/dashboard');
    const panel = page.getByRole('region', { name: 'New since yesterday' });
    await panel.getByText('1 image is newly blocked, 1 passes again').waitFor();
    const row = panel.getByRole('row', { name: /team\/shop:1\.0/ });
    await row.getByText('CVE-2026-1234').waitFor();
    await panel.getByRole('row', { name: /team\/checkout:1\.0.*Passes again/ }).waitFor();
    await expect.poll(() => panel.getByText('secret/app').count()).toBe(0);
  });
});

describe('the overview of an administrator', () => {
  const it = visitedBy(() => signedIn(browser, url, ADMIN));

  it('leads from a blocked image to its repository', async ({ page }) => {
    await page.goto('/dashboard');
    const panel = page.getByRole('region', { name: 'New since yesterday' });
    await panel.getByRole('link', { name: 'secret/app:1.0' }).click();
    await page.waitForURL('**/images/__local__/secret/app');
  });
});
