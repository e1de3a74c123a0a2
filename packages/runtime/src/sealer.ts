import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { unavailable } from '@portcullis/errors';

/** Encrypts secrets at rest: AES-256-GCM with a random nonce. */
export interface Sealer {
  seal(text: string): string;
  /** @throws unavailable `SECRET_UNREADABLE`: sealed with another key, or damaged */
  open(sealed: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * A sealed text is `1.<key id>.<base64url of nonce, tag and ciphertext>`. The key id names the key
 * it needs (so that a rotation finds what is left to do) without revealing it; both are
 * authenticated. Keys in `others` only open: while the key is changed, both are needed.
 */
export function sealer(key: Buffer, others: readonly Buffer[] = []): Sealer {
  const own = derive(key);
  const known = [own, ...others.map(derive)];
  return {
    seal: (text) => own.prefix + encrypt(own.key, own.prefix, text).toString('base64url'),
    open(sealed) {
      const match = known.find(({ prefix }) => sealed.startsWith(prefix));
      if (!match) throw unreadable('it was sealed with another key');
      return decrypt(
        match.key,
        match.prefix,
        Buffer.from(sealed.slice(match.prefix.length), 'base64url'),
      );
    },
  };
}

const SEALED = /^1\.([0-9a-f]{8})\.[\w-]{38,}$/;

/** The id of the key that a sealed text needs; null for any other text. */
export function keyIdOf(text: string): string | null {
  return SEALED.exec(text)?.[1] ?? null;
}

/** The `keyIdOf` of texts that this key seals. */
export function keyIdFor(key: Buffer): string {
  return derive(key).id;
}

function derive(key: Buffer) {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'portcullis secrets at rest', KEY_BYTES));
  const id = createHash('sha256').update('key id').update(derived).digest('hex').slice(0, 8);
  return { key: derived, id, prefix: `1.${id}.` };
}

function encrypt(key: Buffer, aad: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(aad));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, aad: string, sealed: Buffer): string {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw unreadable('it is cut short');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(aad));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return (
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') +
      decipher.final('utf8')
    );
  } catch (cause) {
    throw unreadable('it is damaged', cause);
  }
}

function unreadable(why: string, cause?: unknown): Error {
  return unavailable('SECRET_UNREADABLE', `a stored secret can not be read: ${why}`, { cause });
}
