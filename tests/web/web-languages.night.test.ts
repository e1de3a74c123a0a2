/**
 * The page in French and German: the choice of the language, and local formats. Measures of every
 * page are in measures/web-every-page.int.test.ts.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type SuppliedProduct, suppliedProduct } from '../support/browsed-product.ts';
import { visit, visitedBy } from '../support/browser.ts';
import { DEVELOPER } from '../support/developer.ts';
import { cutOff } from '../support/page-texts.ts';
import { bodyOf, logIn, type Product, settled } from '../support/product.ts';

let browsed: SuppliedProduct;
let product: Product;
let browser: Browser;
let job: string;

beforeAll(async () => {
  browsed = await suppliedProduct();
  ({ product, browser } = browsed);
  job = await pull();
});

afterAll(() => browsed?.stop());

/** A job with findings, and a schedule, for the pages to show. */
async function pull(): Promise<string> {
  const dev = await logIn(product, ...DEVELOPER);
  const source = { image: 'acme/old', tag: '1.0', source_registry_host: browsed.upstream.host };
  const { job_id } = await bodyOf(dev('POST', '/api/staging/pull', source));
  expect((await settled(dev, job_id)).verdict).toBe('blocked');
  const registry = { name: 'Zulieferer', host: browsed.upstream.host, use_tls: false };
  const { id } = await bodyOf(dev('POST', '/api/registries', registry));
  const batch = {
    source_registry_id: id,
    dest_folder: 'team',
    images: [{ repository: 'acme/none', tag: '1' }],
  };
  const times = { name: 'Nacht', cron: '30 2 * * 1', timezone: 'Europe/Paris', enabled: true };
  expect((await dev('POST', '/api/transfer/schedules', { ...batch, ...times })).status).toBe(201);
  return job_id;
}

describe.each([
  ['fr', 'fr-FR', 'Se connecter', 'Récupérations', /^\d{1,2} \p{L}+\.? \d{4}, 02:30$/u, /lundi/],
  ['de', 'de-DE', 'Anmelden', 'Pulls', /^\d\d\.\d\d\.\d{4}, 02:30$/, /Montag/],
] as const)('somebody who reads %s', (language, locale, enter, staging, date, weekday) => {
  const it = visitedBy(() => visit(browser, product.url, { locale }));

  it('signs in, chooses the language in the menu, keeps it, and reads its formats', async ({
    page,
  }) => {
    // The reader signs in, chooses the language in the menu, and keeps it.
    await page.goto('/login');
    await page.getByRole('button', { name: enter }).waitFor();
    await expect.poll(() => cutOff(page)).toEqual([]);
    await page.locator('input[autocomplete=username]').fill(DEVELOPER[0]);
    await page.locator('input[type=password]').fill(DEVELOPER[1]);
    await page.getByRole('button', { name: enter }).click();
    await page.getByRole('heading', { name: staging, exact: true }).waitFor();
    await page.getByRole('button', { name: DEVELOPER[0], exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('heading', { name: 'Pulls', exact: true }).waitFor();
    await page
      .getByRole('menuitemradio', { name: { fr: 'Français', de: 'Deutsch' }[language] })
      .click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    await page.reload();
    await page.getByRole('heading', { name: staging, exact: true }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    // The reader reads dates, numbers and times in the local format.
    await page.goto('/transfers/schedules');
    await page.getByRole('cell', { name: weekday }).waitFor();
    await page.getByText(date).waitFor();
    await page.goto(`/staging/${job}`);
    await page.getByText(/^\d+(?:,\d)?\s(?:kB|ko|MB|Mo)$/).waitFor();
  });
});
