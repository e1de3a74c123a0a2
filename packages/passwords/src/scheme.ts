/**
 * Password hash scheme. bcrypt reads only 72 bytes, which a hundred characters may exceed, so it
 * gets a digest of the password. The digest is keyed with a constant of ours, so that plain SHA-256
 * hashes stolen elsewhere are no shortcut. Hashes without the prefix are of the password itself.
 */
import { createHmac } from 'node:crypto';

export const PREHASHED = 'hmac-sha256:';

export function isPrehashed(hash: string): boolean {
  return hash.startsWith(PREHASHED);
}

/** The same text typed on another system may be other bytes: NFC makes them equal. */
export function prehash(password: string): string {
  return createHmac('sha256', 'portcullis password')
    .update(password.normalize('NFC'))
    .digest('base64');
}
