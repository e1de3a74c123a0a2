import { LIMITS } from '../limits.ts';
import { Refusal } from '../reasons.ts';

/** @throws Refusal */
export function boundedChain(chain: readonly Buffer[]): readonly Buffer[] {
  if (chain.length === 0) throw new Refusal('CERTIFICATE_MISSING');
  const isBounded = chain.every(({ length }) => length <= LIMITS.certificateBytes);
  if (chain.length > LIMITS.chain || !isBounded) throw new Refusal('FORMAT_INVALID');
  return chain;
}
