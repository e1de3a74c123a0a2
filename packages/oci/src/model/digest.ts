/** Digests as the OCI image spec (descriptor.md § Digests) writes them: `algorithm:encoded`. */
import { invalid } from '../oci-error.ts';

export type Digest = `${'sha256' | 'sha512'}:${string}`;

const GRAMMAR = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

export function isDigest(text: string): text is Digest {
  return GRAMMAR.test(text);
}

/** @throws invalid `DIGEST_INVALID` */
export function parseDigest(text: string): Digest {
  if (!isDigest(text))
    throw invalid(
      'DIGEST_INVALID',
      'a digest is sha256: and 64, or sha512: and 128, lower-case hex digits',
    );
  return text;
}

export function algorithmOf(digest: Digest): 'sha256' | 'sha512' {
  return digest.slice(0, 6) as 'sha256' | 'sha512';
}

export function encodedOf(digest: Digest): string {
  return digest.slice(7);
}
