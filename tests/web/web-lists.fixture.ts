/** What web-lists.int and web-list-kit.night start, and how they look at it. */
import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { browsedProduct } from '../support/browsed-product.ts';
import { signedIn, visitedBy } from '../support/browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { seedJobs } from '../support/seeded-jobs.ts';
import { type Site, siteOf } from '../support/site.ts';

let site: Site;

export const it = visitedBy(() => signedIn(site.browser, site.url, ADMIN));

export const jobs = (page: Page) => page.locator('tbody tr:not([aria-hidden] *)');

export async function expectJobs(page: Page, count: number): Promise<void> {
  await expect.poll(() => jobs(page).count()).toBe(count);
}

/** @param env of the product */
export function startLists(env: Record<string, string> = {}): Site {
  site = siteOf(() => browsedProduct(env));
  beforeAll(async () => {
    await addDeveloper(site.product, ...DEVELOPER);
    const [admin, dev] = [ADMIN[0], DEVELOPER[0]];
    await seedJobs(
      site.product,
      { owner: admin, count: 60, image: 'acme/old', status: 'failed', daysAgo: 40 },
      { owner: dev, count: 3, image: 'acme/blocked', verdict: 'blocked' },
      { owner: dev, count: 2, image: 'acme/unread', verdict: 'error' },
      { owner: admin, count: 2, image: 'acme/clean' },
    );
  });
  return site;
}
