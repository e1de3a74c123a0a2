import { describe, expect, it } from 'vitest';
import { bytesOf, randomBlob } from '../target-contract/content.ts';
import { contentOf } from './buffered.ts';
import { sha512Blob } from './sample.contract.ts';
import { verifyContent } from './verified.ts';

describe('verified content', () => {
  it.each([
    ['sha256', randomBlob(1000)],
    ['sha512', sha512Blob(1000)],
    ['nothing', randomBlob(0)],
  ])('of %s ends when it matches its descriptor', async (_, { descriptor, bytes }) => {
    expect((await bytesOf(verifyContent(contentOf(bytes), descriptor))).equals(bytes)).toBe(true);
  });

  it.each([
    ['other bytes', (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1), 'DIGEST_MISMATCH'],
    ['too few bytes', (bytes: Uint8Array) => bytes.subarray(1), 'CONTENT_TRUNCATED'],
    ['too many bytes', (bytes: Uint8Array) => Buffer.concat([bytes, bytes]), 'SIZE_MISMATCH'],
  ])('of %s throws at its end', async (_, spoil, code) => {
    const { descriptor, bytes } = randomBlob(1000);
    await expect(bytesOf(verifyContent(contentOf(spoil(bytes)), descriptor))).rejects.toMatchObject(
      {
        code,
      },
    );
  });

  it('cannot start at an offset', () => {
    const { descriptor, bytes } = randomBlob(10);
    expect(() => verifyContent(contentOf(bytes, { offset: 1 }), descriptor)).toThrow(RangeError);
  });
});
