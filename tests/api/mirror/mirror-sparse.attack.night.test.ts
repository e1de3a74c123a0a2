/**
 * Indexes that hide a flawed image where a mirror with platforms might not look, and the digests
 * that lead to it. The pull gate is off, so that the verdict of the job alone keeps it out.
 */
import {
  buildIndex,
  debianImage,
  fetchManifest,
  pushImage,
  randomFiles,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MirrorSite, openMirrorSite } from './mirror-site.ts';

let site: MirrorSite;

beforeAll(async () => {
  site = await openMirrorSite();
  for (const name of ['some', 'lax']) await site.mirror(name, { platforms: ['linux/amd64'] });
  await site.usePolicy('lax', { rules: [] });
  await site.admin.patch('/api/folders/some', { pull_gate: 'off' });
});
afterAll(() => site?.[Symbol.asyncDispose]());

const imageOf = (name: string, version: string) =>
  debianImage({ packages: [{ name, version }], more: [randomFiles(1_000, `${name}.bin`)] });

function as(image: TestImage, change: Partial<TestImage['descriptor']>): TestImage {
  const { platform: _, ...descriptor } = image.descriptor;
  return { ...image, descriptor: { ...descriptor, ...change } };
}

const UNNAMED = {};
const AMD64 = { platform: { os: 'linux', architecture: 'amd64' } };
const ARM64 = { platform: { os: 'linux', architecture: 'arm64' } };
const attesting = ({ digest }: TestImage) => ({
  platform: { os: 'unknown', architecture: 'unknown' },
  annotations: { 'vnd.docker.reference.digest': digest },
});

/** With the answer to the tag: where the flawed image is left at the upstream, the rest is good. */
it.each<[string, number, (clean: TestImage, flawed: TestImage) => TestImage[]]>([
  ['as an attestation', 403, (clean, flawed) => [clean, as(flawed, attesting(clean))]],
  ['under both platforms', 403, (clean, flawed) => [clean, as(flawed, ARM64), as(flawed, AMD64)]],
  ['without a platform', 200, (clean, flawed) => [clean, as(flawed, UNNAMED)]],
  [
    'in a nested index of the platform',
    403,
    (clean, flawed) => [clean, as(buildIndex([as(flawed, ARM64)]), AMD64)],
  ],
  [
    'in a nested index without a platform',
    200,
    (clean, flawed) => [clean, as(buildIndex([as(flawed, AMD64)]), UNNAMED)],
  ],
  [
    'in a nested index, which names it as another platform as well',
    200,
    (clean, flawed) => [as(buildIndex([as(flawed, AMD64), clean]), AMD64), as(flawed, ARM64)],
  ],
])('a flawed image %s is not served', async (name, status, list) => {
  const place = `lib/${name.replaceAll(/\W+/g, '-')}`;
  const clean = await imageOf('tzdata', '2024a-0');
  const flawed = await imageOf('openssl', '3.0.11-1~deb12u1');
  const index = buildIndex(list(clean, flawed));
  await pushImage(site.origin.url, place, '1', index);
  expect((await site.read(`some/${place}/manifests/1`)).status).toBe(status);
  const nested = index.children.flatMap(({ children }) => children);
  for (const { digest } of [...index.children, ...nested, flawed])
    await site.read(`some/${place}/manifests/${digest}`);
  for (const method of ['GET', 'HEAD'])
    expect((await site.read(`some/${place}/manifests/${flawed.digest}`, { method })).status).toBe(
      403,
    );
  const stored = await fetchManifest(site.api.registry.url, `some/${place}`, flawed.digest);
  expect(stored.status).toBe(404);
  const shared = new Set(clean.blobs.map(({ descriptor }) => descriptor.digest));
  for (const { descriptor } of flawed.blobs.filter((each) => !shared.has(each.descriptor.digest)))
    expect(
      (await site.read(`some/${place}/blobs/${descriptor.digest}`, { by: 'root' })).status,
    ).toBe(404);
});

it('a mirror that takes a flawed platform takes the index from no other mirror', async () => {
  await site.admin.patch('/api/folders/some', { pull_gate: 'enforce' });
  const index = await site.publishIndex('lib/two', '1', ['clean', 'flawed']);
  const statusOf = async (folder: string, reference: string) =>
    (await site.read(`${folder}/lib/two/manifests/${reference}`)).status;
  const flawed = index.children[1]?.digest ?? '';
  for (const folder of ['some', 'lax']) expect(await statusOf(folder, '1')).toBe(200);
  expect([await statusOf('lax', flawed), await statusOf('some', flawed)]).toEqual([200, 403]);
  const parts = async () =>
    (await site.sql.query('SELECT parts FROM image_reports WHERE digest = $1', [index.digest]))
      .rows[0]?.parts;
  await expect.poll(parts).toHaveLength(2);
  for (const folder of ['some', 'lax']) expect(await statusOf(folder, '1')).toBe(200);
});
