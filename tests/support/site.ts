/** A product that the scenarios of one file share. */
import { afterAll, beforeAll } from 'vitest';
import type { BrowsedProduct } from './browsed-product.ts';

/** Can be read once the tests of the file begin. */
export type Site = Readonly<Pick<BrowsedProduct, 'product' | 'browser' | 'url'>>;

/** Starts it before the tests of the file, and stops it after them. */
export function siteOf(start: () => Promise<BrowsedProduct>): Site {
  let started: BrowsedProduct | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const running = () => {
    if (!started) throw new Error('the product has not started');
    return started;
  };
  return {
    get product() {
      return running().product;
    },
    get browser() {
      return running().browser;
    },
    get url() {
      return running().url;
    },
  };
}
