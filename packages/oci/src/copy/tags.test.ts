import { buildImage, buildIndex } from '@portcullis/testing';
import { describe, expect, it } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../memory/memory.ts';
import { invalid, notFound } from '../oci-error.ts';
import type { Target } from './content.ts';
import { copy } from './copy.ts';
import { memoryOf } from './sample.contract.ts';

const FAST = { targetTag: '1', readBackPauses: [1, 1, 1] };

/** As registries with immutable tags: no tag is stored twice, not even with the same digest. */
function immutable(store: MemoryStore): Target {
  const assertFree = (tag: string | undefined) => {
    if (tag !== undefined && store.tags.has(tag)) throw invalid('REGISTRY_REFUSED', 'TAG_INVALID');
  };
  return {
    ...store,
    push: async (descriptor, open, options) => {
      assertFree(options?.tag);
      await store.push(descriptor, open, options);
    },
    tag: async (descriptor, tag) => {
      assertFree(tag);
      await store.tag(descriptor, tag);
    },
  };
}

describe('a target with immutable tags', () => {
  it.each(['image', 'index'])('takes the same %s again', async (form) => {
    const image = await buildImage({ layers: [{ a: form }] });
    const root = form === 'image' ? image : buildIndex([image]);
    const store = createMemoryStore();
    const source = await memoryOf(root);
    for (const _ of [1, 2]) await copy(source, root.digest, immutable(store), FAST);
    expect(store.tags.get('1')?.digest).toBe(root.digest);
  });

  it('takes the same image by a push whose first answer was lost', async () => {
    const image = await buildImage({ layers: [{ a: 'lost' }] });
    const store = createMemoryStore();
    const target = immutable(store);
    const push: Target['push'] = async (...given) => {
      await target.push(...given);
      if (given[2]?.tag !== undefined) await target.push(...given);
    };
    await copy(await memoryOf(image), image.digest, { ...target, push }, FAST);
    expect(store.tags.get('1')?.digest).toBe(image.digest);
  });

  it('takes the same signature tag again', async () => {
    const image = await buildImage({ layers: [{ a: 'signed' }] });
    const source = await memoryOf(image);
    await source.tag(image.descriptor, `${image.digest.replace(':', '-')}.sig`);
    const store = createMemoryStore();
    for (const _ of [1, 2])
      expect(
        await copy(source, image.digest, immutable(store), { ...FAST, includeReferrers: true }),
      ).toMatchObject({ leftBehind: [] });
  });

  it('refuses another image under the tag', async () => {
    const store = createMemoryStore();
    const [one, other] = await Promise.all(
      ['one', 'other'].map((a) => buildImage({ layers: [{ a }] })),
    );
    if (!one || !other) throw new Error('two images are built');
    await copy(await memoryOf(one), one.digest, immutable(store), FAST);
    await expect(
      copy(await memoryOf(other), other.digest, immutable(store), FAST),
    ).rejects.toMatchObject({ code: 'REGISTRY_REFUSED' });
    expect(store.tags.get('1')?.digest).toBe(one.digest);
  });
});

describe('a target that shows later what was pushed', () => {
  /** Answers the first reads of the tag after its push with what it knew before. */
  function lagging(store: MemoryStore, reads: number, before?: Target['resolve']): Target {
    let left = reads;
    return {
      ...store,
      resolve: async (reference, options) => {
        if (!store.tags.has('1') || left === 0) return store.resolve(reference, options);
        left -= 1;
        if (before) return before(reference, options);
        throw notFound('MANIFEST_UNKNOWN', 'not yet');
      },
    };
  }

  it.each([1, 3])('after %i reads has it', async (reads) => {
    const image = await buildImage({ layers: [{ a: 'late' }] });
    const target = lagging(createMemoryStore(), reads);
    await copy(await memoryOf(image), image.digest, target, FAST);
  });

  it('has it after it showed the previous image', async () => {
    const image = await buildImage({ layers: [{ a: 'new' }] });
    const old = await buildImage({ layers: [{ a: 'old' }] });
    const target = lagging(createMemoryStore(), 2, async () => old.descriptor);
    await copy(await memoryOf(image), image.digest, target, FAST);
  });

  it('is asked a bounded number of times, and the copy may be tried again', async () => {
    const image = await buildImage({ layers: [{ a: 'never' }] });
    const target = lagging(createMemoryStore(), 100);
    await expect(copy(await memoryOf(image), image.digest, target, FAST)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'TARGET_NOT_VISIBLE',
      side: 'target',
    });
  });
});
