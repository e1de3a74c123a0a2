/** The facts of signatures: each one for each authority. */
import { setImmediate } from 'node:timers/promises';
import type { OpenedAuthority } from '../authority/open-authority.ts';
import type { SignatureContent } from '../formats/content.ts';
import type { FoundSignature } from '../reading/signature.ts';
import { Refusal, reasonOf } from '../reasons.ts';
import type { OpenedRoot } from '../roots/root.ts';
import { type AuthenticSigner, authenticate } from './authenticate.ts';
import type { SignatureFact, Verified } from './fact.ts';
import { verifyByKey } from './verify-key.ts';
import { verifyIdentity } from './verify-keyless.ts';

export interface VerifyOptions {
  readonly signatures: readonly FoundSignature[];
  readonly authorities: readonly OpenedAuthority[];
  /** The time of now. */
  readonly now: Date;
}

/**
 * Yields to the event loop before each fact, so that many of them hold it no longer than one. It
 * asks no network, and throws nothing for what a stranger wrote.
 */
export async function* verifySignatures(options: VerifyOptions): AsyncGenerator<SignatureFact> {
  for (const signature of options.signatures) {
    const known: Known = new Map();
    for (const authority of options.authorities) {
      await setImmediate();
      yield factOf(signature, authority, known);
    }
  }
}

/** Who made one signature by each root: many authorities share a root. */
type Known = Map<OpenedRoot, AuthenticSigner | Refusal>;

function factOf(
  { origin, content, fault }: FoundSignature,
  authority: OpenedAuthority,
  known: Known,
): SignatureFact {
  const predicateType = content?.predicateType ?? null;
  const named = { origin, authority: authority.name, predicateType };
  if (!content) return { ...named, verified: null, reason: fault };
  try {
    return { ...named, verified: verifyBy(authority, content, known), reason: null };
  } catch (error) {
    return { ...named, verified: null, reason: reasonOf(error, 'SIGNATURE_INVALID') };
  }
}

function verifyBy(authority: OpenedAuthority, content: SignatureContent, known: Known): Verified {
  switch (authority.kind) {
    case 'key':
      return verifyByKey(authority, content);
    case 'keyless':
      return verifyIdentity(authority, authenticateOnce(authority.root, content, known));
  }
}

function authenticateOnce(
  root: OpenedRoot,
  content: SignatureContent,
  known: Known,
): AuthenticSigner {
  const found = known.get(root) ?? attempt(root, content);
  known.set(root, found);
  if (found instanceof Refusal) throw found;
  return found;
}

function attempt(root: OpenedRoot, content: SignatureContent): AuthenticSigner | Refusal {
  try {
    return authenticate(root, content);
  } catch (error) {
    return error instanceof Refusal
      ? error
      : new Refusal('CERTIFICATE_INVALID', {}, { cause: error });
  }
}
