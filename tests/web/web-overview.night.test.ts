/** The charts of the overview in a browser, from an installation without data to the first scan. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { settled, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { addScannedImage } from '../support/scanned-image.ts';

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
}, 300_000);
afterAll(() => browsed?.stop());

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN), /status of 409/);

  it('sees on one page what needs attention, and reads the charts as tables too', async ({
    page,
  }) => {
    await page.goto('/dashboard');
    await page.getByText('No jobs in the last 30 days.').waitFor();
    await page.getByText('No scans in the last 30 days').waitFor();
    const response = await page.evaluate(async () => {
      const body = { image: 'acme/none', tag: '1.0', source_registry_host: '127.0.0.1:1' };
      const headers = { 'content-type': 'application/json' };
      return (
        await fetch('/api/staging/pull', { method: 'POST', headers, body: JSON.stringify(body) })
      ).status;
    });
    expect(response).toBe(202);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Jobs in the last 30 days' }).waitFor();
          await settled(page);
          return page.getByRole('img', { name: /Jobs in the last 30 days\. 1 job:/ }).count();
        },
        { timeout: 90_000, interval: 3_000 },
      )
      .toBe(1);
    await page.locator('svg [data-series]').first().waitFor();
    await page.getByRole('button', { name: 'Show as table: Jobs in the last 30 days' }).click();
    await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
  });

  it("sees the findings of each day's scans by severity, with the numbers", async ({ page }) => {
    await page.goto('/dashboard');
    await addScannedImage(browsed.product, 'team/scanned');
    const name =
      /Vulnerabilities by scan date\. .*Scans on 1 day of the last 30; latest on .*: 3 vulnerabilities in 1 image\./;
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Vulnerabilities by scan date' }).waitFor();
          await settled(page);
          return page.getByRole('img', { name }).count();
        },
        { timeout: 90_000, interval: 3_000 },
      )
      .toBe(1);
    await page.getByRole('img', { name }).locator('[data-series=CRITICAL]').waitFor();
    await page.getByRole('button', { name: 'Show as table: Vulnerabilities by scan date' }).click();
    const table = page.getByRole('table').filter({ hasText: 'Images' });
    await table.getByRole('columnheader', { name: 'Critical' }).waitFor();
    const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(cells.slice(1)).toEqual(['1', '1', '2', '0', '0', '0']);
  });
});
