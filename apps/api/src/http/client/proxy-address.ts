/** An entry of TRUSTED_PROXIES, as Express' `trust proxy` reads it (the package proxy-addr). */
import { isIP } from 'node:net';

const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal']);

export function isProxyAddress(word: string): boolean {
  if (NAMED.has(word)) return true;
  const [address = '', range, ...more] = word.split('/');
  const kind = isIP(address);
  if (kind === 0 || more.length > 0) return false;
  if (range === undefined) return true;
  const longest = kind === 4 ? 32 : 128;
  return /^\d{1,3}$/.test(range)
    ? Number(range) > 0 && Number(range) <= longest
    : isMask(range, kind);
}

/** `255.255.0.0`: ones, then zeros. */
function isMask(text: string, kind: number): boolean {
  if (kind !== 4 || isIP(text) !== 4) return false;
  const bits = text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return /^1+0*$/.test(bits.toString(2).padStart(32, '0'));
}
