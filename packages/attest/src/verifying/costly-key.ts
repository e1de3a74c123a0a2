import type { KeyObject } from 'node:crypto';

const MOST_BITS = 8192;
const MOST_EXPONENT = 0xffffffn;

/**
 * True for a key of RSA that takes long to verify with: a stranger chooses its length and exponent,
 * and with a large one each signature costs as much as it costs its maker, many times over.
 */
export function isCostly({ asymmetricKeyDetails = {} }: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails;
  return modulusLength > MOST_BITS || publicExponent > MOST_EXPONENT;
}
