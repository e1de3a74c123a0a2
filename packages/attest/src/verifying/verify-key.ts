/** Verifies by a public key. When it was signed doesn't matter, and neither does any log. */
import { verify } from 'node:crypto';
import type { OpenedKeys } from '../authority/open-authority.ts';
import type { PublicKey } from '../authority/public-keys.ts';
import type { SigstoreContent } from '../formats/content.ts';
import { Refusal } from '../reasons.ts';
import type { Verified } from './fact.ts';

/** @throws Refusal */
export function verifyByKey({ keys }: OpenedKeys, content: SigstoreContent): Verified {
  const signer = signerOf(keys, content);
  if (!signer) throw new Refusal('KEY_DIFFERS');
  return { signer: { kind: 'key', keyId: signer.id }, time: null, log: null, until: null };
}

/** The key that signed it; undefined where none of them did. */
export function signerOf(
  keys: readonly PublicKey[],
  { signed, signature }: Pick<SigstoreContent, 'signed' | 'signature'>,
): PublicKey | undefined {
  return keys.find(({ key, hashes }) =>
    hashes.some((hash) => verify(hash, signed, key, signature)),
  );
}
