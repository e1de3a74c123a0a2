/** 10,000 findings and 10,000 jobs: order and filter, and how few rows are in the document. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { LAYER, seedFindings } from '../../support/seeded-findings.ts';
import { seedJobs } from '../../support/seeded-jobs.ts';

const COUNT = 10_000;
/** The window shows about 14, and 4 are prepared before and after it. */
const MOST_ROWS = 40;
const MOST_ELEMENTS = 2_500;
/** The default policy blocks two of the five severities. */
const BLOCKING = '4,000';

let browsed: BrowsedProduct;
let job: string;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  job = await seedFindings(browsed.product, { owner: ADMIN[0], count: COUNT });
  await seedJobs(browsed.product, { owner: ADMIN[0], count: COUNT });
});
afterAll(() => browsed?.stop());

const it = visitedBy(() => signedIn(browsed.browser, browsed.product.url, ADMIN));

const rows = (page: Page) => page.getByRole('button', { name: /CVE-2099-/ });

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/staging/${job}${query}`);
  await rows(page).first().waitFor();
}

it('each row has the scores, and says which is known to be exploited', async ({ page }) => {
  // The feeds are read in the background.
  const exploited = rows(page).filter({ hasText: 'Exploited' }).first();
  await expect
    .poll(async () => {
      await page.goto(`/staging/${job}?exploited=true`);
      await exploited.or(page.getByText('No matching vulnerabilities')).waitFor();
      return exploited.isVisible();
    })
    .toBe(true);
  const text = await exploited.textContent();
  expect(text).toMatch(/CVSS \d+\.\d/);
  expect(text).toMatch(/EPSS [\d.]+%/);
  await page.getByText('20 of 10,000', { exact: true }).waitFor();
  await rows(page).last().scrollIntoViewIfNeeded();
});

it('a colleague who opens the address sees the same rows in the same order', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Critical 2,000', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Fixable only' }).click();
  await page.getByRole('checkbox', { name: 'Exploited only' }).click();
  await page.getByText('7 of 10,000', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'Most likely exploited first' }).click();
  const shown = async (each: Page) =>
    (await rows(each).allTextContents()).map((text) => text.slice(0, 60));
  const score = (text: string) => Number(/EPSS ([\d.]+)%/.exec(text)?.[1]);
  await expect.poll(() => new URL(page.url()).search).toContain('sort=epss');
  // The address may change before the rows do.
  const rising = async () => {
    const scores = (await rows(page).allTextContents()).map(score);
    return scores.filter((each, index) => each > (scores[index - 1] ?? each));
  };
  await expect.poll(rising).toEqual([]);
  const before = await shown(page);
  const colleague = await signedIn(browsed.browser, browsed.product.url, ADMIN);
  await colleague.page.goto(page.url());
  await colleague.page.getByText('7 of 10,000', { exact: true }).waitFor();
  await expect.poll(() => shown(colleague.page)).toEqual(before);
  await rows(colleague.page).last().scrollIntoViewIfNeeded();
  await colleague.close();
});

it('filters that are chosen faster than they are shown are all applied', async ({ page }) => {
  await open(page);
  await page.getByRole('button', { name: 'Critical 2,000', exact: true }).waitFor();
  await page.evaluate(() => {
    const chosen = [/^Critical/, /^High/, /^Fixable only/, /^Exploited only/];
    const controls = [
      ...document.querySelectorAll<HTMLElement>('main button[aria-pressed], main label'),
    ];
    for (const name of chosen) controls.find(({ textContent }) => name.test(textContent))?.click();
  });
  await page.getByText('7 of 10,000', { exact: true }).waitFor();
  await expect
    .poll(() => new URL(page.url()).search)
    .toBe('?severity=CRITICAL%2CHIGH&fixable=true&exploited=true');
});

it('the layer of a finding filters the list, by the address as well', async ({ page }) => {
  await open(page, '?find=CVE-2099-10000');
  await rows(page).first().click();
  await page.getByRole('button', { name: 'Only this layer' }).click();
  await page.getByText(`Layer ${LAYER.slice(0, 19)}`).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('layer')).toBe(LAYER);
  await open(page, `?layer=${LAYER}`);
  await page.getByText('2,500 of 10,000', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Critical 500', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show all layers' }).click();
  await page.getByText('10,000 of 10,000', { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.has('layer')).toBe(false);
});

it.for(['', '?by=package', '?sort=package'])(
  'few of 10,000 are in the document while %j is scrolled to its end',
  async (query, { page }) => {
    await page.goto(`/staging/${job}${query}`);
    const lines = page.locator('li[aria-setsize]');
    await lines.first().waitFor();
    const size = Number(await lines.first().getAttribute('aria-setsize'));
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 30_000);
        const count = await lines.count();
        expect(count).toBeLessThan(MOST_ROWS);
        await expect.poll(() => page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
        return Number(await lines.last().getAttribute('aria-posinset'));
      })
      .toBe(size);
  },
);

it('few of the blocking findings are in the document while waivers are requested', async ({
  page,
}) => {
  await open(page);
  await page.getByRole('button', { name: 'Allow until…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow vulnerabilities' });
  await dialog.getByText(`${BLOCKING} of ${BLOCKING} chosen`).waitFor();
  const choices = dialog.getByRole('listitem');
  await choices.first().getByRole('checkbox').uncheck();
  await dialog.getByText(`3,999 of ${BLOCKING} chosen`).waitFor();
  await choices.first().hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 30_000);
      await expect.poll(() => choices.count()).toBeLessThan(MOST_ROWS);
      return Number(await choices.last().getAttribute('aria-posinset'));
    })
    .toBe(4_000);
  await choices.last().getByRole('checkbox').uncheck();
  await dialog.getByText(`3,998 of ${BLOCKING} chosen`).waitFor();
});

it('few of hundreds of jobs are in the document while the list is scrolled', async ({ page }) => {
  await page.goto('/staging');
  const table = page.locator('table[aria-rowcount]');
  const loaded = async () => {
    await page.getByRole('button', { name: 'Show more' }).click();
    return (await table.count()) && Number(await table.getAttribute('aria-rowcount'));
  };
  await expect.poll(loaded).toBeGreaterThan(400);
  const lines = table.locator('tr[aria-rowindex]');
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 3_000);
      await expect.poll(() => lines.count()).toBeLessThan(MOST_ROWS);
      await expect.poll(() => page.locator('*').count()).toBeLessThan(MOST_ELEMENTS);
      return Number(await lines.last().getAttribute('aria-rowindex'));
    })
    .toBeGreaterThan(400);
});
