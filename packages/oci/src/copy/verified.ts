/** Verifies digest and size of content while it is streamed. */
import { createHash } from 'node:crypto';
import type { Descriptor } from '../model/descriptor.ts';
import { algorithmOf, encodedOf } from '../model/digest.ts';
import type { Content } from './content.ts';
import { digestMismatch, sizeMismatch, truncated } from './content-errors.ts';

export interface Verifier {
  /** Bytes seen so far. */
  readonly seen: number;
  /** @throws invalid `SIZE_MISMATCH` as soon as there are too many bytes */
  update(chunk: Uint8Array): void;
  /** @throws invalid `DIGEST_MISMATCH`; unavailable `CONTENT_TRUNCATED` */
  end(): void;
}

/** What it sees is sealed as well. */
export function createVerifier(
  descriptor: Descriptor,
  sealer?: Pick<Verifier, 'update'>,
): Verifier {
  const hash = createHash(algorithmOf(descriptor.digest));
  let seen = 0;
  return {
    get seen() {
      return seen;
    },
    update(chunk) {
      seen += chunk.byteLength;
      if (seen > descriptor.size) throw sizeMismatch(descriptor);
      hash.update(chunk);
      sealer?.update(chunk);
    },
    end() {
      if (seen < descriptor.size) throw truncated(descriptor, seen);
      if (hash.digest('hex') !== encodedOf(descriptor.digest)) throw digestMismatch(descriptor);
    },
  };
}

/** The same content, which throws at its end if it does not match the descriptor. */
export function verifyContent(content: Content, descriptor: Descriptor): Content {
  if (content.offset !== 0)
    throw new RangeError('content can only be verified from its first byte');
  return {
    offset: 0,
    cancel: () => content.cancel(),
    async *[Symbol.asyncIterator]() {
      const verifier = createVerifier(descriptor);
      for await (const chunk of content) {
        verifier.update(chunk);
        yield chunk;
      }
      verifier.end();
    },
  };
}
