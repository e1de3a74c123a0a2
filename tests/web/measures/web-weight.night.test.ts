/** What a browser without a cache receives from the product, in bytes on the wire and requests. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { requestsEnded, visit } from '../../support/browser.ts';
import { ADMIN } from '../../support/developer.ts';
import { seedJobs } from '../../support/seeded-jobs.ts';

const KIB = 1024;
const ROWS = 50;
/** Browsers offer it over TLS alone, as every real installation has it. */
const BROTLI = { 'accept-encoding': 'gzip, br' };

let browsed: BrowsedProduct;

beforeAll(async () => {
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false' });
  await seedJobs(browsed.product, { owner: ADMIN[0], count: ROWS });
});
afterAll(() => browsed?.stop());

interface Weight {
  kib: number;
  /** Paths with their bytes; event streams, which do not end, are left out. */
  requests: string[];
}

/**
 * From now on until `shown`. What is read again once the stream of events is open counts once, and
 * what the page loads beforehand, once it is quiet, does not.
 */
async function weigh(page: Page): Promise<{ shown(): void; weight(): Weight }> {
  const network: CDPSession = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  const sizes = new Map<string, number>();
  let isShown = false;
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!isShown) urls.set(requestId, request.url);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    if (url) sizes.set(url, Math.max(encodedDataLength, sizes.get(url) ?? 0));
  });
  await network.send('Network.enable');
  await network.send('Network.setExtraHTTPHeaders', { headers: BROTLI });
  return {
    shown() {
      isShown = true;
    },
    weight: () => ({
      kib: [...sizes.values()].reduce((sum, size) => sum + size, 0) / KIB,
      requests: [...sizes].map(([url, size]) => `${new URL(url).pathname} ${size}`),
    }),
  };
}

describe.each(['en-GB', 'de-DE', 'fr-FR'])('in %s', (locale) => {
  async function received(address: string, read: (page: Page) => Promise<void>): Promise<Weight> {
    const { page, close } = await visit(browsed.browser, browsed.product.url, { locale });
    const { shown, weight } = await weigh(page);
    await page.goto(address);
    await read(page);
    shown();
    await requestsEnded(page);
    await close();
    return weight();
  }

  async function signIn(page: Page): Promise<void> {
    await page.locator('input[autocomplete=username]').fill(ADMIN[0]);
    await page.locator('input[type=password]').fill(ADMIN[1]);
    await page.keyboard.press('Enter');
  }

  it('a visitor receives at most 180 KiB in 12 requests before the sign-in', async () => {
    const { kib, requests } = await received('/', (page) =>
      page.locator('input[type=password]').waitFor(),
    );
    expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(12);
    expect(kib, requests.join(' ')).toBeLessThanOrEqual(180);
  });

  it('and at most 250 KiB in 28 requests until the list of fifty jobs is there', async () => {
    const { kib, requests } = await received('/staging', async (page) => {
      await signIn(page);
      await page.getByRole('row').nth(ROWS).waitFor();
    });
    expect(kib, requests.join(' ')).toBeLessThanOrEqual(250);
    expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(28);
  });

  it('and at most 300 KiB in 42 requests until the overview is there', async () => {
    const { kib, requests } = await received('/dashboard', async (page) => {
      await signIn(page);
      await page.getByRole('img').first().waitFor();
    });
    expect(kib, requests.join(' ')).toBeLessThanOrEqual(300);
    expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(42);
  });
});
