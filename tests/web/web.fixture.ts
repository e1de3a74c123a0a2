/** What web.int and web-jobs.night start, and how they look at it. */
import {
  debianImage,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { addDeveloper, DEVELOPER } from '../support/developer.ts';
import type { StandaloneProduct } from '../support/product.ts';
import { type RegistryFront, registryFront } from '../support/registry-front.ts';

export const CLEAN = [{ name: 'tzdata', version: '2024a-0+deb12u1' }];

export const MEGABYTE = 1_000_000;

/** The layer of 8 MB takes longer than a test waits for its progress. */
export const WATCHED = 0.1 * MEGABYTE;

export const PROGRESS = /\d [kM]B of \d+ MB/;

export let upstream: TestRegistry;

export let slow: RegistryFront;

let browsed: BrowsedProduct;

export let product: StandaloneProduct;

export let browser: Browser;

export async function pull(page: Page, host: string, image: string): Promise<void> {
  await page.goto('/staging/new');
  // A complete reference, as people paste it: host and tag move to their fields.
  await page.getByRole('combobox', { name: 'Image' }).fill(`${host}/${image}:1.0`);
  await page.getByRole('button', { name: 'Pull and scan' }).click();
  await page.getByRole('heading', { name: `${image}:1.0` }).waitFor();
}

export const verdict = (page: Page, name: string) =>
  page.getByRole('heading', { name, exact: true });

/** @param env of the product */
export function startMainPages(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    upstream = await startRegistry();
    slow = await registryFront(upstream.url);
    const database = await serveVulnerabilityDb(upstream.url);
    await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
    await pushImage(upstream.url, 'acme/plain', '1.0', await debianImage({ packages: CLEAN }));
    const more = [randomFiles(9 * MEGABYTE, 'a.bin'), randomFiles(6 * MEGABYTE, 'b.bin')];
    await pushImage(upstream.url, 'acme/tool', '1.0', await debianImage({ packages: CLEAN, more }));
    browsed = await browsedProduct({
      ...env,
      TRIVY_DB_REPOSITORY: database,
      EGRESS_ALLOW: [upstream.host, slow.host].join(','),
    });
    ({ product, browser } = browsed);
    await addDeveloper(product, ...DEVELOPER);
  });
  afterAll(async () => {
    await browsed?.stop();
    await slow?.stop();
    await upstream?.stop();
  });
}
