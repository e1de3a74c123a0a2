/** Two pulls of one image from a slow source: they share its blob, and both show true progress. */
import {
  buildImage,
  pushImage,
  randomFiles,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BrowsedProduct, browsedProduct } from '../../support/browsed-product.ts';
import { signedIn, visitedBy } from '../../support/browser.ts';
import { addDeveloper, DEVELOPER } from '../../support/developer.ts';
import { bodyOf, type Call, logIn, settled } from '../../support/product.ts';
import { type RegistryFront, registryFront } from '../../support/registry-front.ts';

const MEGABYTE = 1_000_000;
const SIZE = 16 * MEGABYTE;
/** A minute for the whole blob; who waits takes the download over after half of that. */
const SLOW = SIZE / 60;
/** Manifests and the image's configuration. */
const SMALL = 100_000;

let upstream: TestRegistry;
let slow: RegistryFront;
let browsed: BrowsedProduct;
let developer: Call;

beforeAll(async () => {
  upstream = await startRegistry();
  slow = await registryFront(upstream.url, SLOW);
  const image = await buildImage({ layers: [randomFiles(SIZE, 'shared.bin')] });
  await pushImage(upstream.url, 'acme/shared', '1.0', image);
  browsed = await browsedProduct({ TRIVY_ENABLED: 'false', EGRESS_ALLOW: slow.host });
  await addDeveloper(browsed.product, ...DEVELOPER);
  developer = await logIn(browsed.product, ...DEVELOPER);
});
afterAll(async () => {
  await browsed?.stop();
  await slow?.stop();
  await upstream?.stop();
});

async function pull(): Promise<string> {
  const source = { image: 'acme/shared', tag: '1.0', source_registry_host: slow.host };
  const { status, body } = await developer('POST', '/api/staging/pull', source);
  expect(status, JSON.stringify(body)).toBe(202);
  return body.job_id;
}

const bytesOf = async (job: string): Promise<number> =>
  (await bodyOf(developer('GET', `/api/staging/jobs/${job}`))).progress.bytes_done;

/** No job shows more bytes than the source has sent, whichever of them downloads. */
async function expectTrue(jobs: readonly string[]): Promise<void> {
  for (const job of jobs) {
    const shown = await bytesOf(job);
    expect(shown).toBeLessThan(slow.sent.bytes + SMALL);
  }
}

describe('a developer who pulls an image twice at the same time', () => {
  const it = visitedBy(() => signedIn(browsed.browser, browsed.url, DEVELOPER));

  it('sees in both jobs only what the source has sent', async ({ page }) => {
    const first = await pull();
    await expect.poll(() => bytesOf(first)).toBeGreaterThan(SMALL);
    const begun = slow.sent.downloads;
    const second = await pull();
    const jobs = [first, second];
    await expect.poll(() => bytesOf(second)).toBeGreaterThan(SMALL);
    await page.goto(`/staging/${second}`);
    await page.getByText(/\d MB of 16 MB/).waitFor();
    await expect
      .poll(
        async () => {
          await expectTrue(jobs);
          return slow.sent.downloads;
        },
        { interval: 500 },
      )
      .toBeGreaterThan(begun);
    const before = slow.sent.bytes;
    await expect.poll(() => slow.sent.bytes).toBeGreaterThan(before + MEGABYTE);
    await expectTrue(jobs);
    slow.bytesPerSecond = Number.POSITIVE_INFINITY;
    for (const job of jobs) {
      const { status, progress } = await settled(developer, job);
      expect([status, progress.bytes_done]).toEqual(['staged', progress.bytes_total]);
    }
    await page.getByText(/\d MB of 16 MB/).waitFor({ state: 'detached' });
  });
});
