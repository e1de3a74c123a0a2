/**
 * Takes the screenshots of the README: `node_modules/.bin/node tests/support/picture.ts`. They show
 * a real scan of an image that is built here, with the made-up advisories of the tests, in light
 * and dark mode.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  debianImage,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
} from '@portcullis/testing';
import type { Page } from 'playwright-core';
import { browsedProduct } from './browsed-product.ts';
import { requestsEnded, signedIn } from './browser.ts';
import { ADMIN, addDeveloper, DEVELOPER } from './developer.ts';
import { logIn, settled } from './product.ts';

const IMAGES = path.resolve(import.meta.dirname, '../../docs/images');
const PICTURES = [
  ['light', 'staged-image.webp'],
  ['dark', 'staged-image-dark.webp'],
] as const;
const PACKAGES = [
  { name: 'openssl', version: '3.0.11-1~deb12u1' },
  { name: 'curl', version: '7.88.1-10' },
  { name: 'tar', version: '1.34+dfsg-1.2' },
  { name: 'bash', version: '5.2.15-2' },
  { name: 'sudo', version: '1.9.13p3-1' },
  { name: 'zlib1g', version: '1:1.2.13.dfsg-1', source: 'zlib' },
];

await using upstream = await startRegistry();
const database = await serveVulnerabilityDb(upstream.url);
const more = [randomFiles(28_000_000, 'usr/lib/example.bin')];
await pushImage(
  upstream.url,
  'library/nginx',
  '1.27',
  await debianImage({ packages: PACKAGES, more }),
);
const { product, browser, stop } = await browsedProduct({
  TRIVY_DB_REPOSITORY: database,
  DOCKERHUB_HOST: upstream.host,
  EGRESS_ALLOW: upstream.host,
});
try {
  await addDeveloper(product, ...DEVELOPER);
  const developer = await logIn(product, ...DEVELOPER);
  const { body } = await developer('POST', '/api/staging/pull', {
    image: 'library/nginx',
    tag: '1.27',
  });
  await settled(developer, body.job_id);
  const { page, close } = await signedIn(browser, product.url, ADMIN);
  await page.setViewportSize({ width: 1280, height: 860 });
  for (const [colorScheme, file] of PICTURES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(`/staging/${body.job_id}`);
    await page.getByText('CVE-2099-0001').first().waitFor();
    await requestsEnded(page);
    await writeFile(path.join(IMAGES, file), await webp(page));
  }
  await close();
} finally {
  await stop();
}

/** Playwright supports PNG and JPEG only. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  return Buffer.from(data, 'base64');
}
