/** The environment of each browser test: the product in a separate directory, and a browser. */
import path from 'node:path';
import {
  debianImage,
  openBrowser,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestRegistry,
  temporaryDir,
} from '@portcullis/testing';
import type { Browser } from 'playwright-core';
import { ADMIN, addDeveloper, cheapenAdmin, DEVELOPER } from './developer.ts';
import { type StandaloneProduct, startProduct } from './product.ts';

export interface BrowsedProduct {
  product: StandaloneProduct;
  browser: Browser;
  url: string;
  stop(): Promise<void>;
}

/**
 * The worker searches as often as in use. Each second, as by default here, a product takes a sixth
 * of a core while nothing happens.
 */
export const UNHURRIED = { SWEEP_SECONDS: '10' };

/**
 * With `ADMIN` as its administrator, and a worker that finds within a second what is due. Parts
 * that were started are stopped if another one fails.
 */
export async function browsedProduct(env: Record<string, string>): Promise<BrowsedProduct> {
  await using begun = new AsyncDisposableStack();
  const dir = begun.adopt(await temporaryDir(), (made) => made.remove());
  const starting = startProduct(path.join(dir.path, 'data'), {
    ADMIN_PASSWORD: ADMIN[1],
    SWEEP_SECONDS: '1',
    ...env,
  });
  const opening = openBrowser();
  const [started, opened] = await Promise.allSettled([starting, opening]);
  if (started.status === 'fulfilled') begun.adopt(started.value, (running) => running.stop());
  if (opened.status === 'fulfilled') begun.adopt(opened.value, (open) => open.close());
  const [product, browser] = await Promise.all([starting, opening]);
  await cheapenAdmin(product);
  const all = begun.move();
  return { product, browser, url: product.url, stop: () => all.disposeAsync() };
}

export interface SuppliedProduct extends BrowsedProduct {
  upstream: TestRegistry;
}

/**
 * With `DEVELOPER`, the vulnerability database of the tests, and a registry from which it may pull:
 * its `acme/old:1.0` is blocked.
 */
export async function suppliedProduct(): Promise<SuppliedProduct> {
  await using begun = new AsyncDisposableStack();
  const upstream = begun.use(await startRegistry());
  const database = await serveVulnerabilityDb(upstream.url);
  await pushImage(upstream.url, 'acme/old', '1.0', await debianImage());
  const browsed = begun.adopt(
    await browsedProduct({ TRIVY_DB_REPOSITORY: database, EGRESS_ALLOW: upstream.host }),
    (running) => running.stop(),
  );
  await addDeveloper(browsed.product, ...DEVELOPER);
  const all = begun.move();
  return { ...browsed, upstream, stop: () => all.disposeAsync() };
}
