/** Verifies that a genuine signer is the one whom an authority names. */

import type { OpenedKeyless } from '../authority/open-authority.ts';
import { matchesPattern } from '../authority/pattern.ts';
import { quote, Refusal } from '../reasons.ts';
import type { AuthenticSigner } from './authenticate.ts';
import type { Verified } from './fact.ts';

/** @throws Refusal */
export function verifyIdentity(authority: OpenedKeyless, signer: AuthenticSigner): Verified {
  const { issuer, subject, claims, time, log } = signer;
  if (issuer !== authority.issuer) throw new Refusal('ISSUER_DIFFERS', { issuer: quote(issuer) });
  if (!matchesPattern(authority.subject, subject)) {
    throw new Refusal('SUBJECT_DIFFERS', { subject: quote(subject) });
  }
  for (const [claim, pattern] of authority.claims) {
    const value = claims[claim] ?? '';
    if (!matchesPattern(pattern, value)) {
      throw new Refusal('CLAIM_DIFFERS', { claim, value: quote(value) });
    }
  }
  return { signer: { kind: 'keyless', issuer, subject, claims }, time, log, until: null };
}
