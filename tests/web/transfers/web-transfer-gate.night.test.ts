/**
 * Blocked images in a transfer: what would clear them, that they have not failed, another try, and
 * who let them through.
 */
import { debianImage, pushImage } from '@portcullis/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../../support/browsed-product.ts';
import { requestsEnded, signedIn, speak, visitedBy } from '../../support/browser.ts';
import { ADMIN, DEVELOPER } from '../../support/developer.ts';
import { SHARED, texts } from '../../support/page-texts.ts';
import { bodyOf, type Call, logIn } from '../../support/product.ts';

const REASON = 'The shop is closed until the fix is built.';
const LET_THROUGH = `Bypassed by admin: ${REASON}`;
const DAY_MS = 86_400_000;
const SUDO = { name: 'sudo', version: '1.9.13p3-1' };

let browsed: SuppliedProduct;
let admin: Call;

beforeAll(async () => {
  browsed = await suppliedProduct();
  admin = await logIn(browsed.product, ...ADMIN);
  const { host } = browsed.upstream;
  const saved = { name: 'Supplier', host, use_tls: false, owner: 'global' };
  expect((await admin('POST', '/api/registries', saved)).status).toBe(201);
});
afterAll(() => browsed?.stop());

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const progress = (page: Page) => page.getByRole('region', { name: 'Progress' });
const row = (page: Page, image: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: image, exact: true }) });

async function pick(page: Page, field: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

async function build(page: Page, image: string): Promise<void> {
  await page.goto('/transfers/new');
  await pick(page, 'From', /Supplier/);
  await pick(page, 'Folder', 'team');
  await button(page, 'Paste list…').click();
  const list = page.getByRole('dialog', { name: 'Paste list' });
  await list.getByRole('textbox').fill(image);
  await list.getByRole('button', { name: 'Add 1 line' }).click();
}

async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Transfer/ }).click();
  await page.waitForURL(/\/transfers\/[0-9a-f-]{36}$/);
}

/** For a day in the folder of the transfers, requested by the developer and approved. */
async function waive(vulnerability: string): Promise<void> {
  const developer = await logIn(browsed.product, ...DEVELOPER);
  const expires_at = new Date(Date.now() + DAY_MS).toISOString();
  const waiver = { vulnerability, folder: 'team', status: 'accepted', reason: REASON, expires_at };
  const requested = await developer('POST', '/api/waivers', waiver);
  expect(requested.status, JSON.stringify(requested.body)).toBe(201);
  const approved = await admin('POST', `/api/waivers/${requested.body.id}/approve`);
  expect(approved.body.in_force, JSON.stringify(approved.body)).toBe(true);
}

const isMissing = (locator: Locator) => expect.poll(() => locator.count()).toBe(0);

describe('a developer', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));
  let transfer = '';

  it('sees a blocked image as blocked, and nothing as failed', async ({ page }) => {
    await build(page, 'acme/old:1.0');
    await start(page);
    transfer = new URL(page.url()).pathname;
    await progress(page).getByText('1 blocked', { exact: true }).waitFor();
    await progress(page).getByText('Blocked', { exact: true }).waitFor();
    await button(page, 'Try blocked again').waitFor();
    await isMissing(button(page, 'Retry failed'));
    await isMissing(page.getByText(/failed/i));
  });

  it('reads what blocks it, and asks for a review from there', async ({ page }) => {
    await page.goto(transfer);
    const blocked = row(page, 'acme/old:1.0');
    await blocked.getByText(/^Blocking vulnerabilities: CVE-\d+-\d+/).waitFor();
    await blocked.getByRole('link', { name: 'Request a review' }).click();
    await page.getByRole('dialog', { name: 'Request a review' }).waitFor();
  });

  it('finds it under the blocked jobs alone, and the overview counts no failure', async ({
    page,
  }) => {
    await page.goto('/transfers');
    const listed = page.getByRole('row', { name: /1 image/ });
    await listed.getByText('Blocked', { exact: true }).waitFor();
    await isMissing(listed.getByText(/failed/i));
    await page.goto('/staging');
    await row(page, 'acme/old:1.0')
      .getByText(/^Blocked · \d+$/)
      .filter({ visible: true })
      .first()
      .waitFor();
    await isMissing(row(page, 'acme/old:1.0').getByText(/failed/i));
    await page.goto('/dashboard');
    await page
      .getByText(/1 image is blocked|1 image was blocked/)
      .first()
      .waitFor();
    await isMissing(page.getByText(/jobs? requested .* failed/));
  });

  it('reads which packages and versions would clear it', async ({ page }) => {
    await page.goto(transfer);
    await page.getByRole('link', { name: 'acme/old:1.0' }).click();
    const upgrades = page.getByRole('region', { name: 'What would clear it' });
    const lines = upgrades.getByRole('listitem');
    await expect
      .poll(() => lines.allTextContents())
      .toEqual(['openssl 3.0.11-1~deb12u1 → 3.0.13-1 clears 1 vulnerability']);
    await upgrades.getByText(/^No fix yet for 1 vulnerability, such as CVE-2099-0002/).waitFor();
  });

  it.for(['de', 'fr'])(
    'reads nothing of the refusal in English in %s',
    async (language, { page }) => {
      await page.goto(transfer);
      await page.getByRole('link', { name: 'acme/old:1.0' }).click();
      await page.getByRole('heading', { name: 'Pushes' }).waitFor();
      await requestsEnded(page);
      const english = new Set(await texts(page));
      await speak(page, language);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'acme/old:1.0' }).waitFor();
      await requestsEnded(page);
      const left = (await texts(page)).filter((text) => english.has(text) && !SHARED.test(text));
      expect(left).toEqual([]);
      // Findings have the titles of the database, and the message of the server is on demand.
      const inEnglish = page.locator('main li [lang="en"]:not([class*="title"], details *)');
      await expect.poll(() => inEnglish.allTextContents()).toEqual([]);
    },
  );

  it('tries the blocked again once waivers allow it', async ({ page }) => {
    await waive('CVE-2099-0001');
    await waive('CVE-2099-0002');
    await page.goto(transfer);
    await button(page, 'Try blocked again').click();
    await page.getByText('1 of 1 pushed').waitFor();
    await progress(page).getByText('Done', { exact: true }).waitFor();
    await expect.poll(() => button(page, 'Try blocked again').count()).toBe(0);
    await page.getByText(/Allowed by admin until/).waitFor();
  });

  it('reads in the list of jobs that waivers allow what was pushed', async ({ page }) => {
    await page.goto('/staging');
    await row(page, 'acme/old:1.0')
      .getByText(/^Allowed by waivers until/)
      .waitFor();
  });

  it('sees that a push has ended whose image could not be pulled', async ({ page }) => {
    await build(page, 'acme/gone:1.0');
    await start(page);
    await progress(page).getByText('1 failed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'acme/gone:1.0' }).click();
    const push = page.getByRole('listitem').filter({ hasText: /gone:1\.0/ });
    await push.getByText('Failed', { exact: true }).waitFor();
    await isMissing(push.getByText('Waiting'));
    await isMissing(page.getByRole('progressbar'));
  });
});

describe('an administrator', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, ADMIN));

  it('has to give a reason for letting blocked images through', async ({ page }) => {
    const image = await debianImage({ packages: [SUDO] });
    await pushImage(browsed.upstream.url, 'acme/shop', '1.0', image);
    await build(page, 'acme/shop:1.0');
    await page.getByRole('checkbox', { name: 'Push blocked images too' }).check();
    await page.getByLabel('Why may they pass?').fill(REASON);
    await start(page);
    await page.getByText('1 of 1 pushed').waitFor();
    await row(page, 'acme/shop:1.0').getByText(LET_THROUGH, { exact: true }).waitFor();
    await progress(page).getByText('1 bypassed', { exact: true }).waitFor();
    await progress(page).getByText('Bypassed', { exact: true }).waitFor();
    await isMissing(progress(page).getByText('Done', { exact: true }));
    await isMissing(button(page, 'Try blocked again'));
  });

  it('reads in the list of transfers that an image bypassed the gate, by whom and why', async ({
    page,
  }) => {
    await page.goto('/transfers');
    const listed = page.getByRole('row').filter({ hasText: '1 bypassed' });
    await listed.getByText('Bypassed', { exact: true }).waitFor();
    await listed.getByText(LET_THROUGH, { exact: true }).waitFor();
    await isMissing(listed.getByText('Done', { exact: true }));
  });

  it('reads in the list of jobs who let the image through, and why', async ({ page }) => {
    await page.goto('/staging');
    const listed = row(page, 'acme/shop:1.0');
    await listed.getByText(LET_THROUGH, { exact: true }).waitFor();
    const key = page.locator('.tabler-icon-key');
    await listed.filter({ has: key }).waitFor();
    await isMissing(row(page, 'acme/old:1.0').filter({ has: key }));
  });

  it('reads at the tag and in the folder who let the image through', async ({ page }) => {
    await page.goto('/images/__local__/team/acme/shop');
    const tag = page.getByRole('row').filter({ hasText: '1.0' });
    await tag.getByText(/bypassed by admin/).waitFor();
    await page.goto('/folders/team');
    await page.getByText(/was pushed although blocked, bypassed by admin/).waitFor();
  });

  it('reads the reason at the job', async ({ page }) => {
    await page.goto('/staging');
    await page.getByRole('link', { name: 'acme/shop:1.0' }).click();
    await page.getByText('Gate bypassed by admin.').waitFor();
    await page.getByText(REASON).first().waitFor();
  });

  it('sorts the patterns of a transfer and its jobs, both in the address', async ({ page }) => {
    const registries = await bodyOf(admin('GET', '/api/registries'));
    const nothing = { match: { glob: 'none*' } };
    const body = await bodyOf(
      admin('POST', '/api/transfer', {
        images: [
          { repository: 'acme/shop', tags: nothing },
          { repository: 'acme/old', tags: nothing },
          { repository: 'acme/lost', tag: '1.0' },
          { repository: 'acme/missing', tag: '1.0' },
        ],
        source_registry_id: registries[0].id,
        dest_folder: 'team',
      }),
    );
    await page.goto(`/transfers/${body.transfer_id}`);
    await progress(page).getByText('2 failed', { exact: true }).waitFor();
    const [patterns, jobs] = [page.getByRole('table').first(), page.getByRole('table').last()];
    const first = (table: Locator, text: string) =>
      expect.poll(() => table.getByRole('row').nth(1).textContent()).toContain(text);
    await first(patterns, 'acme/shop:none*');
    await patterns.getByRole('button', { name: 'Tag patterns' }).click();
    await first(patterns, 'acme/old:none*');
    await jobs.getByRole('button', { name: 'Image' }).click();
    await first(jobs, 'acme/lost');
    await jobs.getByRole('button', { name: 'Image' }).click();
    await first(jobs, 'acme/missing');
    await page.reload();
    await first(jobs, 'acme/missing');
    await first(patterns, 'acme/old:none*');
    await expect.poll(() => new URL(page.url()).search).toBe('?pattern_sort=pattern&sort=-image');
  });
});
