import { describe, expect, it } from 'vitest';
import { chunked, randomBlob } from '../target-contract/content.ts';
import { contentOf } from './buffered.ts';
import { assertPossessedByDigest, chunkDigestsOf, isChunkDigests } from './chunk-digests.ts';
import { PART_BYTES } from './possession.ts';

const SIZE = 10 * PART_BYTES + 1000;

describe('proof of possession by chunk digests', () => {
  it.each([
    1000,
    PART_BYTES,
    PART_BYTES - 1,
    PART_BYTES + 1,
    2 * PART_BYTES - 1,
    2 * PART_BYTES,
    SIZE,
  ])('of %i bytes', async (size) => {
    const { descriptor, bytes } = randomBlob(size);
    for (const chunk of [1, 7, PART_BYTES, 100_000].filter((each) => size / each < 100_000)) {
      const chunkDigests = await chunkDigestsOf(await chunked(bytes, chunk).open({}));
      expect(chunkDigests.size).toBe(size);
      expect(isChunkDigests(chunkDigests)).toBe(true);
      await assertPossessedByDigest(
        descriptor,
        { source: chunked(bytes, chunk).open, chunkDigests },
        {},
      );
    }
  });

  it('requests one random chunk and no more', async () => {
    const { descriptor, bytes } = randomBlob(SIZE);
    const chunkDigests = await chunkDigestsOf(contentOf(bytes));
    const offsets = new Set<number>();
    for (let time = 0; time < 100; time += 1) {
      const source = chunked(bytes, 10_000);
      await assertPossessedByDigest(descriptor, { source: source.open, chunkDigests }, {});
      for (const offset of source.offsets) offsets.add(offset);
    }
    const all = Array.from({ length: 10 }, (_, nth) => nth * PART_BYTES);
    expect(offsets.size).toBeGreaterThan(7);
    expect([...offsets].filter((offset) => !all.includes(offset))).toEqual([]);
  });

  it.each([3 * PART_BYTES, 2 * PART_BYTES + 1, 3 * PART_BYTES - 1])(
    'not by the end only, which is the same in many archives, of %i bytes',
    async (size) => {
      const { descriptor, bytes } = randomBlob(size);
      const chunkDigests = await chunkDigestsOf(contentOf(bytes));
      const guessed = Buffer.from(bytes).fill(0, 0, size - 1024);
      for (let time = 0; time < 30; time += 1) {
        const attempt = assertPossessedByDigest(
          descriptor,
          { source: chunked(guessed).open, chunkDigests },
          {},
        );
        await expect(attempt).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
      }
    },
  );

  it('refuses a source without range support', async () => {
    const { descriptor, bytes } = randomBlob(SIZE);
    const chunkDigests = await chunkDigestsOf(contentOf(bytes));
    const seen: unknown[] = [];
    for (let time = 0; time < 20; time += 1) {
      const source = async () => ({ ...contentOf(bytes), cancel: () => seen.push('cancelled') });
      await assertPossessedByDigest(descriptor, { source, chunkDigests }, {}).catch(({ code }) =>
        seen.push(code),
      );
    }
    expect(new Set(seen)).toEqual(new Set(['cancelled', 'RANGE_IGNORED']));
  });

  it.each([
    ['of another length', { size: SIZE, parts: new Uint8Array(32) }],
    ['of nothing', { size: 0, parts: new Uint8Array(0) }],
  ])('digests %s are invalid', (_, chunkDigests) =>
    expect(isChunkDigests(chunkDigests)).toBe(false),
  );

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['other bytes', (bytes) => Buffer.alloc(bytes.byteLength)],
    ['nothing', () => Buffer.alloc(0)],
    ['bytes that are out of place', (bytes) => Buffer.concat([Buffer.from('x'), bytes])],
  ])('refuses %s', async (_, wrong) => {
    const { descriptor, bytes } = randomBlob(SIZE);
    const chunkDigests = await chunkDigestsOf(contentOf(bytes));
    const source = chunked(wrong(Buffer.from(bytes))).open;
    const attempt = assertPossessedByDigest(descriptor, { source, chunkDigests }, {});
    await expect(attempt).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });

  it('refuses another size', async () => {
    const { descriptor, bytes } = randomBlob(SIZE);
    const chunkDigests = await chunkDigestsOf(contentOf(bytes));
    const lied = { ...descriptor, size: SIZE + 1 };
    const attempt = assertPossessedByDigest(
      lied,
      { source: chunked(bytes).open, chunkDigests },
      {},
    );
    await expect(attempt).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });
});
