/** Charts, long lists, long names, small buttons and layout shift, on a product in use. */
import { serveVulnerabilityDb, startRegistry, type TestRegistry } from '@portcullis/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN } from '../support/developer.ts';
import { addExampleData } from '../support/example-data.ts';

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let browser: Browser;

beforeAll(async () => {
  upstream = await startRegistry();
  browsed = await browsedProduct({
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(upstream.url),
    EGRESS_ALLOW: upstream.host,
  });
  browser = browsed.browser;
  await addExampleData(browsed.product, upstream);
});

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

const it = visitedBy(() => signedIn(browser, browsed.product.url, ADMIN));

describe('a chart', () => {
  const jobs = (page: Page) => page.getByRole('img', { name: /^Jobs in the last 30 days/ });
  const figures = (page: Page) =>
    page.getByRole('region', { name: /^Jobs in the last 30 days/ }).getByRole('slider');

  it.for([1280, 360])(
    'stays inside of its card, with its values beside their lines, at %i px',
    async (width, { page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/vulnerabilities/trends');
      await jobs(page).locator('[data-series=blocked]').first().waitFor();
      // A chart is drawn again once its width is measured.
      await expect.poll(() => outside(page)).toEqual([]);
      await expect.poll(() => besideLines(page)).toBe(true);
    },
  );

  it('tells the figures of a day to the keyboard, to a screen reader and to the pointer', async ({
    page,
  }) => {
    await page.goto('/vulnerabilities/trends');
    await figures(page).focus();
    const today = await figures(page).getAttribute('aria-valuetext');
    expect(today).toMatch(/^\d+ \w+ \d{4}: Pushed \d+, Other \d+, Blocked [1-9]\d*, Failed \d+$/);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => figures(page).getAttribute('aria-valuetext')).not.toBe(today);
    await figures(page).blur();
    await jobs(page).locator('[data-series=blocked]').last().hover();
    await page.locator('strong', { hasText: today?.split(':')[0] ?? '?' }).waitFor();
  });

  it('marks the days without scans, which are not days without vulnerabilities', async ({
    page,
  }) => {
    await page.goto('/vulnerabilities/trends');
    await page.getByText('No scans on this day').waitFor();
    const chart = page.getByRole('img', { name: /^Vulnerabilities by scan date/ });
    await expect.poll(() => chart.locator('circle').count()).toBe(29);
    await expect.poll(() => jobs(page).locator('circle').count()).toBe(0);
  });
});

describe('beside the navigation', () => {
  it('a verdict in a list has a short word in one line', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.goto('/staging');
    const verdict = page.locator('td [data-tone=critical]').first();
    await verdict.waitFor();
    await verdict.getByText(/^Blocked · \d+$/).waitFor();
    expect((await verdict.boundingBox())?.height).toBeLessThan(30);
  });

  it('the tokens of an account stay inside of their panel', async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.goto('/settings/account');
    const panel = page.getByRole('region', { name: 'Personal access tokens' });
    await panel.getByRole('button', { name: 'Revoke Laptop' }).waitFor();
    const beyond = await panel.evaluate((section) => {
      const { right } = section.getBoundingClientRect();
      const table = section.querySelector('table')?.getBoundingClientRect();
      return (table?.right ?? Number.NaN) - right;
    });
    expect(beyond).toBeLessThanOrEqual(0);
  });

  it('the item of the current page is in view, however low the window is', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.goto('/system');
    const list = page.getByRole('navigation', { name: 'Main' });
    const item = list.getByRole('link', { name: 'System' });
    await expect.poll(() => isInView(item)).toBe(true);
    expect(await isInView(list.getByRole('link', { name: 'Overview' }))).toBe(false);
  });
});

/** Whether nothing covers the middle of it, and no scrolled container hides it. */
function isInView(item: Locator): Promise<boolean> {
  return item.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    return element.contains(there);
  });
}

/** Texts of charts that leave their panel. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=img] svg text')]
      .filter((text) => {
        const own = text.getBoundingClientRect();
        const card = text.closest('section')?.getBoundingClientRect();
        return !card || own.left < card.left + 8 || own.right > card.right - 8;
      })
      .map(({ textContent }) => textContent),
  );
}

/** The middle of each value is at most two pixels from its line. */
function besideLines(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=img] svg g:has(> line)')].every((group) => {
      const line = group.querySelector('line')?.getBoundingClientRect();
      const text = group.querySelector('text')?.getBoundingClientRect();
      return line && text && Math.abs((text.top + text.bottom) / 2 - line.top) <= 2;
    }),
  );
}
