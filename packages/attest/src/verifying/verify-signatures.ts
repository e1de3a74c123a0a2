/** The facts of signatures: each one for each authority. */
import { setImmediate } from 'node:timers/promises';
import type { OpenedAuthority } from '../authority/open-authority.ts';
import type { SignatureContent, SigstoreContent } from '../formats/content.ts';
import { verifyByCertificate } from '../notary/verify-certificate.ts';
import type { FoundSignature } from '../reading/signature.ts';
import { Refusal, reasonOf } from '../reasons.ts';
import type { OpenedRoot } from '../roots/root.ts';
import { type AuthenticSigner, authenticate } from './authenticate.ts';
import type { VerificationFact, Verified } from './fact.ts';
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
export async function* verifySignatures(options: VerifyOptions): AsyncGenerator<VerificationFact> {
  for (const signature of options.signatures) {
    const verifying: Verifying = { now: options.now, known: new Map() };
    for (const authority of options.authorities) {
      await setImmediate();
      yield factOf(signature, authority, verifying);
    }
  }
}

interface Verifying {
  readonly now: Date;
  /** Who made one signature by each root: many authorities share a root. */
  readonly known: Map<OpenedRoot, AuthenticSigner | Refusal>;
}

function factOf(
  { origin, content, fault }: FoundSignature,
  authority: OpenedAuthority,
  verifying: Verifying,
): VerificationFact {
  const predicateType = content?.predicateType ?? null;
  const named = { origin, authority: authority.name, predicateType };
  if (!content) return { ...named, verified: null, reason: fault };
  try {
    return { ...named, verified: verifyBy(authority, content, verifying), reason: null };
  } catch (error) {
    return { ...named, verified: null, reason: reasonOf(error, 'SIGNATURE_INVALID') };
  }
}

function verifyBy(
  authority: OpenedAuthority,
  content: SignatureContent,
  { known, now }: Verifying,
): Verified {
  if (authority.kind === 'certificate') {
    if (content.kind === 'notary') return verifyByCertificate(authority, content, now);
  } else if (content.kind === 'sigstore') {
    if (authority.kind === 'key') return verifyByKey(authority, content);
    return verifyIdentity(authority, authenticateOnce(authority.root, content, known));
  }
  throw new Refusal('KIND_DIFFERS');
}

function authenticateOnce(
  root: OpenedRoot,
  content: SigstoreContent,
  known: Verifying['known'],
): AuthenticSigner {
  const found = known.get(root) ?? attempt(root, content);
  known.set(root, found);
  if (found instanceof Refusal) throw found;
  return found;
}

function attempt(root: OpenedRoot, content: SigstoreContent): AuthenticSigner | Refusal {
  try {
    return authenticate(root, content);
  } catch (error) {
    return error instanceof Refusal
      ? error
      : new Refusal('CERTIFICATE_INVALID', {}, { cause: error });
  }
}
