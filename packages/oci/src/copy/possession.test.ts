import { describe, expect, it } from 'vitest';
import { chunked, randomBlob } from '../target-contract/content.ts';
import { contentOf } from './buffered.ts';
import type { FetchOptions } from './content.ts';
import { assertPossessed } from './possession.ts';

const LARGE = 3_000_000;
const SHOWN = 64 * 1024;

describe('proof of possession compares', () => {
  it.each([
    ['all of a small one', 1000, 0, 1000],
    ['nothing of an empty one', 0, 0, 0],
  ])('%s', async (_, size, offset, length) => {
    const { descriptor, bytes } = randomBlob(size);
    const ranges: FetchOptions[] = [];
    const open = async (part: FetchOptions) => {
      ranges.push(part);
      return contentOf(bytes, part);
    };
    await assertPossessed(descriptor, { source: open, kept: open }, {});
    expect(ranges[1]).toMatchObject({ offset, length });
  });

  it('a random range of a large blob', async () => {
    const { descriptor, bytes } = randomBlob(LARGE);
    const offsets = new Set<number>();
    for (let time = 0; time < 20; time += 1) {
      const source = chunked(bytes, 10_000);
      await assertPossessed(descriptor, { source: source.open, kept: chunked(bytes).open }, {});
      for (const offset of source.offsets) offsets.add(offset);
    }
    expect(offsets.size).toBeGreaterThan(15);
    expect(Math.max(...offsets)).toBeLessThanOrEqual(LARGE - SHOWN);
  });

  it('the same range without range support, and reads no further', async () => {
    const { descriptor, bytes } = randomBlob(LARGE);
    let range: FetchOptions = {};
    let read = 0;
    const source = async (part: FetchOptions) => {
      range = part;
      const whole = await chunked(bytes, 10_000).open({});
      return {
        ...whole,
        async *[Symbol.asyncIterator]() {
          for await (const chunk of whole) {
            read += chunk.byteLength;
            yield chunk;
          }
        },
      };
    };
    await assertPossessed(descriptor, { source, kept: chunked(bytes).open }, {});
    expect(read).toBeLessThanOrEqual((range.offset ?? 0) + SHOWN + 20_000);
  });

  it.each<[string, number, (bytes: Buffer) => Buffer]>([
    ['other bytes', 1000, (bytes) => Buffer.alloc(bytes.byteLength)],
    ['other bytes of a large one', LARGE, (bytes) => Buffer.alloc(bytes.byteLength)],
    ['all but its last byte', 1000, (bytes) => bytes.subarray(0, -1)],
    ['nothing', 1000, () => Buffer.alloc(0)],
  ])('refuses %s', async (_, size, wrong) => {
    const { descriptor, bytes } = randomBlob(size);
    const source = chunked(wrong(Buffer.from(bytes))).open;
    const attempt = assertPossessed(descriptor, { source, kept: chunked(bytes).open }, {});
    await expect(attempt).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });
});
