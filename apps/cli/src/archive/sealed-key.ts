/**
 * Encrypts the secret key in a backup with a pass phrase, so that the backup alone does not reveal
 * the secrets.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '@portcullis/errors';
import { z } from 'zod';

export const SealedKey = z.object({
  kdf: z.literal('scrypt'),
  cost: z
    .int()
    .min(2 ** 14)
    .max(2 ** 20),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  sealed: z.base64(),
});
export type SealedKey = z.infer<typeof SealedKey>;

const COST = 2 ** 16;
const SHORTEST_PHRASE = 12;
const derive = promisify<string, Buffer, number, { cost: number; maxmem: number }, Buffer>(scrypt);

/** @throws invalid `PASS_PHRASE_INVALID` */
export async function sealKey(key: Buffer, phrase: string): Promise<SealedKey> {
  if (phrase.length < SHORTEST_PHRASE)
    throw invalid(
      'PASS_PHRASE_INVALID',
      `a pass phrase has at least ${SHORTEST_PHRASE} characters`,
    );
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await keyOf(phrase, salt, COST), nonce);
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  const text = (bytes: Buffer) => bytes.toString('base64');
  return {
    kdf: 'scrypt',
    cost: COST,
    salt: text(salt),
    nonce: text(nonce),
    tag: text(cipher.getAuthTag()),
    sealed: text(sealed),
  };
}

/** @throws invalid `PASS_PHRASE_WRONG` */
export async function openKey({ cost, ...texts }: SealedKey, phrase: string): Promise<Buffer> {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const key = await keyOf(phrase, bytes(texts.salt), cost);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(texts.nonce), { authTagLength: 16 });
  try {
    decipher.setAuthTag(bytes(texts.tag));
    return Buffer.concat([decipher.update(bytes(texts.sealed)), decipher.final()]);
  } catch (cause) {
    throw invalid('PASS_PHRASE_WRONG', 'the pass phrase does not open the key of this backup', {
      cause,
    });
  }
}

function keyOf(phrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  return derive(phrase.normalize('NFC'), salt, 32, { cost, maxmem: 256 * cost * 8 });
}
