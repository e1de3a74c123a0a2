/** The overview and the trends, from an installation without data to the first scan. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { settled, signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { addScannedImage } from '../support/scanned-image.ts';

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
});
afterAll(() => browsed?.stop());

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN), /status of 409/);

  it('is led to the first image, then sees what needs attention, and charts as tables too', async ({
    page,
  }) => {
    await page.goto('/dashboard');
    const first = page.getByRole('listitem').filter({ hasText: 'Pull your first image' });
    await first.getByRole('img', { name: 'Open' }).waitFor();
    await first.getByRole('status').getByText('Scanning is turned off.').waitFor();
    await page.getByText('npm run demo').waitFor();
    await page.getByRole('link', { name: 'Add a registry' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Newest jobs' }).count()).toBe(0);
    await first.getByRole('textbox', { name: 'Image' }).fill('127.0.0.1:1/acme/none:1.0');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/staging\/[0-9a-f-]{36}$/);
    await page.goto('/dashboard');
    await page
      .getByRole('region', { name: 'Newest jobs' })
      .getByRole('row', { name: /acme\/none:1\.0/ })
      .waitFor();
    await page.goto('/vulnerabilities');
    await page.getByText('Trends', { exact: true }).click();
    await page.waitForURL('**/vulnerabilities/trends');
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Jobs in the last 30 days' }).waitFor();
          await settled(page);
          return page.getByRole('img', { name: /Jobs in the last 30 days\. 1 job:/ }).count();
        },
        { interval: 3_000 },
      )
      .toBe(1);
    await page.getByText('No scans in the last 30 days').waitFor();
    await page.locator('svg [data-series]').first().waitFor();
    await page.getByRole('button', { name: 'Show as table: Jobs in the last 30 days' }).click();
    await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
  });

  it("sees the findings of each day's scans by severity, with the numbers", async ({ page }) => {
    await page.goto('/vulnerabilities/trends');
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
        { interval: 3_000 },
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
