/**
 * A batch of a thousand images: composed, planned, run and watched, with only the visible lines in
 * the document.
 */
import { openSql, PATIENCE_MS, startRegistry, type TestRegistry } from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { NO_FAULTS, signedIn, visitedBy } from '../support/browser.ts';
import { addDeveloper, DEVELOPER } from '../support/developer.ts';
import { logIn, type Product } from '../support/product.ts';

const MANY = 1000;
/** Lines that a page shows at once, with a margin. */
const FEW = 60;
/** A plan of all of them takes a minute where other work takes the cores. */
const LONG = { timeout: 3 * PATIENCE_MS };

let upstream: TestRegistry;
let browsed: BrowsedProduct;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  upstream = await startRegistry();
  browsed = await browsedProduct({
    TRIVY_ENABLED: 'false',
    EGRESS_ALLOW: upstream.host,
  });
  ({ product, browser } = browsed);
  await addDeveloper(product, ...DEVELOPER);
  const developer = await logIn(product, ...DEVELOPER);
  const saved = { name: 'Supplier', host: upstream.host, use_tls: false };
  expect((await developer('POST', '/api/registries', saved)).status).toBe(201);
});

afterAll(async () => {
  await browsed?.stop();
  await upstream?.stop();
});

/** Copies of jobs of the only transfer, with another name. */
async function addJobs(count: number): Promise<void> {
  const sql = await openSql(await product.databaseUrl());
  await sql.query(`
    INSERT INTO staging_jobs
    SELECT added.* FROM staging_jobs job,
           jsonb_populate_record(job, jsonb_build_object(
             'id', gen_random_uuid(), 'image', 'acme/added', 'tag', '1')) added
     LIMIT ${count}`);
  await sql.end();
}

const LINES = Array.from({ length: MANY }, (_, n) => `acme/service-${n}:1.0.${n}`);
const names = (page: Page) => page.getByRole('textbox', { name: 'Repository' });
const isBetween = (place: number, low: number, high: number) => place >= low && place < high;
const toEnd = (page: Page) => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));

describe('a developer with a thousand images', () => {
  const it = visitedBy(() => signedIn(browser, product.url, DEVELOPER), NO_FAULTS);

  it(
    'composes, plans, runs and watches them, with only the visible lines in the document',
    async ({ page }) => {
      // The developer pastes them, and edits any of the lines.
      await page.goto('/transfers/new');
      // Docker Hub has no list of its repositories.
      await page.getByText('Paste a list, or add a line.').waitFor();
      await page.getByRole('combobox', { name: 'From' }).click();
      await page.getByRole('option', { name: /Supplier/ }).click();
      await page.getByText('select repositories from the registry').waitFor();
      await page.getByRole('button', { name: 'Paste list…' }).click();
      await page
        .getByRole('dialog', { name: 'Paste list' })
        .getByRole('textbox')
        .fill(LINES.join('\n'));
      await page.getByRole('button', { name: 'Add 1,000 lines' }).click();
      await names(page).first().waitFor();
      await expect.poll(() => names(page).count()).toBeLessThan(FEW);
      await names(page).first().fill('acme/renamed');
      await toEnd(page);
      await page.locator('input[value="acme/service-999"]').waitFor();
      await expect.poll(() => names(page).count()).toBeLessThan(FEW);
      // The focused line stays, wherever the window is.
      await page.keyboard.type('-twice');
      await expect.poll(() => names(page).first().inputValue()).toBe('acme/renamed-twice');
      await page.getByRole('button', { name: 'Remove line' }).first().click();
      await expect.poll(() => names(page).first().inputValue()).toBe('acme/service-1');
      await page.mouse.move(0, 0);
      await page.getByRole('tooltip').waitFor({ state: 'detached' });
      // The developer keeps them over a reload, and is asked before leaving.
      await page.reload();
      await expect.poll(() => names(page).first().inputValue()).toBe('acme/service-1');
      await toEnd(page);
      await page.locator('input[value="acme/service-999"]').waitFor();
      await page.getByRole('link', { name: 'Vulnerabilities' }).click();
      await page.getByRole('button', { name: 'Stay' }).click();
      await page.evaluate(() => window.scrollTo(0, 0));
      // The developer reads the plan of all of them, which comes into view.
      await page.getByRole('button', { name: 'Preview' }).click();
      const plan = page.getByRole('table');
      await plan.waitFor(LONG);
      // It scrolls into view from below.
      const top = async () =>
        (await page.getByRole('heading', { name: 'Preview' }).boundingBox())?.y ?? -1;
      await expect.poll(async () => isBetween(await top(), 0, 400)).toBe(true);
      await page.getByRole('status').filter({ hasText: '999 not readable' }).waitFor(LONG);
      await expect.poll(() => plan.getAttribute('aria-rowcount')).toBe(String(MANY));
      await expect.poll(() => plan.getByRole('row').count()).toBeLessThan(FEW);
      await toEnd(page);
      await page.getByRole('cell', { name: /^acme\/service-999/ }).waitFor();
      // The developer runs them, and sees the end of each.
      await page.getByRole('button', { name: 'Transfer 999 images', exact: true }).click();
      await page.getByText('0 of 999 pushed').waitFor(LONG);
      const jobs = page.getByRole('table');
      await page.waitForFunction(
        (count) => document.querySelector('table')?.getAttribute('aria-rowcount') === count,
        String(MANY),
      );
      await expect.poll(() => jobs.getByRole('row').count()).toBeLessThan(FEW);
      // Failed jobs come first without an action.
      await jobs.getByRole('row').nth(1).getByText('Failed').waitFor(LONG);
      await page.getByText('999 failed').waitFor(LONG);
      await toEnd(page);
      await jobs.getByRole('row').last().getByText('Failed').waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
      const heading = page.getByRole('columnheader', { name: 'Image' });
      await heading.getByRole('button').click();
      await jobs
        .getByRole('row')
        .nth(1)
        .getByRole('link', { name: 'acme/service-1:1.0.1' })
        .waitFor();
      await heading.getByRole('button').click();
      await jobs
        .getByRole('row')
        .nth(1)
        .getByRole('link', { name: 'acme/service-999:1.0.999' })
        .waitFor();
      await page.reload();
      await jobs
        .getByRole('row')
        .nth(1)
        .getByRole('link', { name: 'acme/service-999:1.0.999' })
        .waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('?sort=-image');
      // The developer has an order of all jobs, also of those that do not load by themselves.
      {
        await addJobs(300);
        const { pathname } = new URL(page.url());
        await page.goto(pathname);
        const more = page.getByRole('button', { name: 'Show more' });
        await more.waitFor();
        const jobs = page.getByRole('table');
        await expect.poll(() => jobs.getAttribute('aria-rowcount')).toBe(String(MANY + 1));
        await page.getByRole('columnheader').getByRole('button', { name: 'Image' }).click();
        await expect.poll(() => jobs.getAttribute('aria-rowcount')).toBe(String(MANY + 300));
        await jobs.getByRole('row').nth(1).getByRole('link', { name: 'acme/added:1' }).waitFor();
        await expect.poll(() => more.count()).toBe(0);
      }
    },
    10 * PATIENCE_MS,
  );
});
