import { unavailable } from '@portcullis/errors';
import { contentOf, copy } from '@portcullis/oci';
import { createMemoryStore } from '@portcullis/oci/memory';
import { buildImage, buildIndex } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { firstOf } from './first-of.ts';

const ALL = ['linux/amd64', 'linux/arm64', 'linux/s390x'];

/** Repositories that have one platform each of the same index. */
async function mirrors() {
  const images = ALL.map((platform) => buildImage({ layers: [{ platform }], platform }));
  const index = buildIndex(await Promise.all(images));
  const whole = createMemoryStore();
  for (const each of [...index.children, index])
    for (const { descriptor, bytes } of [...each.blobs, each])
      await whole.push(descriptor, async (options) => contentOf(bytes, options));
  const parts = ALL.slice(0, 2).map(async (platform) => {
    const store = createMemoryStore();
    await copy(whole, index.digest, store, { platforms: [platform], keepIndex: true });
    return store;
  });
  const [one, two] = await Promise.all(parts);
  if (!one || !two) throw new Error('there are two repositories');
  return { index, one, two };
}

it('what several repositories have of an index is read as one image', async () => {
  const { index, one, two } = await mirrors();
  const target = createMemoryStore();
  const options = { skipAbsent: true };
  const { absent } = await copy(firstOf([one, two]), index.digest, target, options);
  expect(absent).toEqual([index.children[2]?.digest]);
  for (const { digest } of index.children.slice(0, 2))
    expect(target.contents.has(digest)).toBe(true);
});

it('a repository that fails is no repository that lacks it', async () => {
  const { index, one, two } = await mirrors();
  const away = { ...one, fetch: () => Promise.reject(unavailable('REGISTRY_UNAVAILABLE', 'away')) };
  await expect(
    copy(firstOf([away, two]), index.digest, createMemoryStore(), { skipAbsent: true }),
  ).rejects.toMatchObject({ code: 'REGISTRY_UNAVAILABLE' });
});
