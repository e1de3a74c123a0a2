import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithmOf, encodedOf, parseDigest } from './digest.ts';

describe('a digest', () => {
  it('is parsed and formatted', () => {
    const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
    const text = fc.oneof(
      hex(64).map((h) => `sha256:${h}`),
      hex(128).map((h) => `sha512:${h}`),
    );
    fc.assert(
      fc.property(text, (written) => {
        const digest = parseDigest(written);
        expect(`${algorithmOf(digest)}:${encodedOf(digest)}`).toBe(written);
      }),
    );
  });
  it.each([
    '',
    'sha256:',
    `sha256:${'A'.repeat(64)}`,
    `sha256:${'a'.repeat(63)}`,
    `sha512:${'a'.repeat(64)}`,
    `sha256:${'a'.repeat(64)}\n`,
  ])('%j is refused', (text) =>
    expect(() => parseDigest(text)).toThrow(expect.objectContaining({ code: 'DIGEST_INVALID' })),
  );
});
