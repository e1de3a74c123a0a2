/** What web-images.int and web-browse-images.night start, and how they look at it. */
import {
  buildImage,
  buildIndex,
  helmChart,
  pushImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../support/browsed-product.ts';
import { ADMIN, addDeveloper, DEVELOPER } from '../support/developer.ts';
import { bodyOf, logIn, type Product } from '../support/product.ts';

export const PLATFORMS = ['linux/amd64', 'linux/arm64/v8', 'linux/s390x'];

export let upstream: TestRegistry;

let browsed: BrowsedProduct;

export let product: Product;

export let browser: Browser;

/** A folder from which the developers may only pull. */
async function letRead(name: string): Promise<void> {
  const admin = await logIn(product, ...ADMIN);
  const folder = await bodyOf(admin('POST', '/api/folders', { name }));
  const [group] = await bodyOf(admin('GET', '/api/groups'));
  const grant = { group_id: group.id, can_pull: true };
  expect((await admin('PUT', `/api/folders/${folder.id}/permissions`, grant)).status).toBe(200);
}

const labelled = (text: string, platform?: string) =>
  buildImage({
    ...(platform !== undefined && { platform }),
    layers: [{ base: 'everywhere the same' }, { text, platform: platform ?? '' }],
    config: {
      Env: ['MODE=production'],
      Cmd: ['--serve'],
      User: 'nobody',
      Labels: { team: 'blue' },
    },
  });

async function fillRegistries(): Promise<void> {
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  const index = buildIndex(
    await Promise.all(PLATFORMS.map((platform) => labelled('app', platform))),
  );
  await pushImage(product.url, 'team/app', '1.0.0', index, { credentials });
  await pushImage(product.url, 'team/sparse', '1', index, { credentials });
  const absent = `${product.url}/v2/team/sparse/manifests/${index.children.at(-1)?.digest}`;
  const authorization = `Basic ${Buffer.from(ADMIN.join(':')).toString('base64')}`;
  const removed = await fetch(absent, { method: 'DELETE', headers: { authorization } });
  expect(removed.status).toBe(202);
  await pushImage(product.url, 'team/chart', '1.0.0', await helmChart(), { credentials });
  await pushImage(product.url, 'shared/base', '12', await labelled('base'), { credentials });
  await pushImage(product.url, 'lonely', '1', await labelled('lonely'), { credentials });
  for (const tag of ['1.0.0', '1.1.0', '1.2.0', '2.0.0'])
    await pushImage(upstream.url, 'acme/app', tag, await labelled(tag));
  await pushImage(upstream.url, 'acme/tool', '7', await labelled('tool'));
}

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

export const row = (page: Page, text: string | RegExp) =>
  page.getByRole('row').filter({ hasText: text });

export async function choose(page: Page, tag: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${tag}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** The tags `v1`, `v2` and `latest` of `kept/app`, of which the folder keeps the first two. */
export async function pushKept(): Promise<void> {
  const admin = await logIn(product, ...ADMIN);
  await bodyOf(admin('POST', '/api/folders', { name: 'kept', immutable_tags: ['v*'] }));
  const credentials = { username: ADMIN[0], password: ADMIN[1] };
  for (const tag of ['v1', 'v2', 'latest'])
    await pushImage(product.url, 'kept/app', tag, await labelled(tag), { credentials });
}

/** @param env of the product */
export function startImagePages(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    upstream = await startRegistry();
    browsed = await browsedProduct({
      ...env,
      TRIVY_ENABLED: 'false',
      EGRESS_ALLOW: upstream.host,
    });
    ({ product, browser } = browsed);
    await addDeveloper(product, ...DEVELOPER);
    await letRead('shared');
    await fillRegistries();
  });
  afterAll(async () => {
    await browsed?.stop();
    await upstream?.stop();
  });
}
