/** The environment of each browser test: the product in a separate directory, and a browser. */
import path from 'node:path';
import { openBrowser, temporaryDir } from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { ADMIN } from './developer.ts';
import { type StandaloneProduct, startProduct } from './product.ts';

export interface BrowsedProduct {
  product: StandaloneProduct;
  browser: Browser;
  stop(): Promise<void>;
}

/** With `ADMIN` as its administrator. Parts that were started are stopped if a later one fails. */
export async function browsedProduct(env: Record<string, string>): Promise<BrowsedProduct> {
  await using begun = new AsyncDisposableStack();
  const dir = begun.adopt(await temporaryDir(), (made) => made.remove());
  const started = await startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: ADMIN[1],
    ...env,
  });
  const product = begun.adopt(started, (running) => running.stop());
  const browser = begun.adopt(await openBrowser(), (open) => open.close());
  const all = begun.move();
  return { product, browser, stop: () => all.disposeAsync() };
}
