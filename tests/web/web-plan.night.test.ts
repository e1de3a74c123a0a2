/**
 * The plan of a transfer: which images the gate would stop, by reports of earlier scans, and which
 * an immutable tag.
 */
import type { Severity } from '@portcullis/domain';
import { sealer } from '@portcullis/runtime';
import { openStore } from '@portcullis/store';
import {
  pushImage,
  randomImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { bodyOf, logIn, type Product } from '../support/product.ts';

const IMAGES: [name: string, found: Severity[] | null][] = [
  ['fresh', null],
  ['clean', []],
  ['flawed', ['CRITICAL', 'HIGH']],
  ['kept', []],
];

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;
let address: string;

beforeAll(async () => {
  upstream = await startRegistry();
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
    EGRESS_ALLOW: upstream.host,
  });
  ({ product, browser } = browsed);
  await provide();
  const admin = await logIn(product, ...ADMIN);
  const saved = { name: 'Supplier', host: upstream.host, use_tls: false, owner: 'global' };
  const body = await bodyOf(admin('POST', '/api/registries', saved));
  const { id } = body as { id: string };
  await admin('POST', '/api/folders', { name: 'acme', immutable_tags: ['1*'] });
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  await pushImage(product.url, 'acme/kept', '1', await randomImage(), { credentials });
  address = `/transfers/new?from=${id}&image=acme/fresh:1`;
});

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

async function provide(): Promise<void> {
  const store = openStore(await product.databaseUrl(), sealer(Buffer.alloc(32)));
  try {
    for (const [name, found] of IMAGES) {
      const image = await randomImage();
      await pushImage(upstream.url, `acme/${name}`, '1', image);
      const findings = found?.map((severity, at) => ({
        ...{ id: `CVE-2099-000${at}`, package: 'openssl', severity },
      }));
      const { digest } = image;
      if (findings)
        await store.reports.record({
          ...{ digest, report: sampleReport(findings), scannedAt: new Date() },
        });
    }
  } finally {
    await store.close();
  }
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: `acme/${name}` });

describe('an administrator who plans a transfer', () => {
  const it = visitedBy(() => signedIn(browser, product.url, ADMIN), NO_FAULTS);

  it('sees what the gate would stop, sorts the plan, and keeps it over a reload', async ({
    page,
  }) => {
    // The administrator sees which image would be blocked, by which finding and policy, and that
    // one is unknown.
    await page.goto(address);
    await page.getByRole('button', { name: 'Paste list…' }).click();
    await page
      .getByRole('dialog', { name: 'Paste list' })
      .getByRole('textbox')
      .fill('acme/clean:1\nacme/flawed:1\nacme/kept:1');
    await page.getByRole('button', { name: 'Add 3 lines' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await row(page, 'flawed').getByText('Would be blocked').waitFor();
    const flawed = await row(page, 'flawed').textContent();
    expect(flawed).toContain('because of CVE-2099-0000 in openssl and 1 more · default policy');
    await row(page, 'clean').getByText('Would pass').waitFor();
    await row(page, 'fresh').getByText('Not scanned yet').waitFor();
    await row(page, 'kept').getByText('Would be blocked').waitFor();
    await expect
      .poll(() => row(page, 'kept').textContent())
      .toContain(
        'The tag exists in the destination with another image, and the folder makes it immutable.',
      );
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('acme/flawed');
    // The administrator reads the sum in the bar.
    const bar = page.getByRole('status').filter({ hasText: 'to copy' });
    await bar.waitFor();
    await expect
      .poll(() => bar.textContent())
      .toMatch(/^4 to copy · 2 would be blocked · 1 not scanned yet · .* to upload$/);
    await page.getByText('Judged by earlier scans.').waitFor();
    // The administrator sorts it by its headings, and a reload keeps the order and the lines.
    const first = (name: string) =>
      expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain(`acme/${name}`);
    const heading = page.getByRole('columnheader', { name: 'Image' });
    await heading.getByRole('button').click();
    await first('clean');
    await heading.getByRole('button').click();
    await first('kept');
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-image');
    await page.reload();
    await page.getByRole('button', { name: 'Preview' }).click();
    await row(page, 'flawed').getByText('Would be blocked').waitFor();
    await first('kept');
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending');
    // The administrator who pushes blocked images too sees that the policy would be bypassed.
    await page.getByRole('checkbox', { name: 'Push blocked images too' }).check();
    await page.getByRole('textbox', { name: 'Why may they pass?' }).fill('urgent');
    await page.getByRole('button', { name: 'Refresh preview' }).click();
    await row(page, 'flawed').getByText('Would bypass the policy').waitFor();
    await row(page, 'kept').getByText('Would be blocked').waitFor();
  });
});
