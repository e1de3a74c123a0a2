/** Shows authorities and their versions as the API does. */
import { openAuthority } from '@portcullis/attest';
import { AuthorityTerms } from '@portcullis/contract';
import type { AuthorityVersion, StoredAuthority } from '@portcullis/store';
import type { ShownAuthority } from './service.ts';

export function presentAuthority({ stored, usedBy }: ShownAuthority) {
  const { name, version, document, createdAt, updatedAt } = stored;
  const terms = termsOf(document);
  return {
    ...{ name, version, kind: terms.kind, usedBy, createdAt, updatedAt },
    signers: signersOf(terms),
    issuer: terms.kind === 'keyless' ? terms.issuer : null,
    shippedRoot: terms.kind === 'keyless' && terms.root === 'sigstore',
  };
}

export function presentDetail(shown: ShownAuthority, versions: readonly AuthorityVersion[]) {
  return {
    ...presentAuthority(shown),
    terms: termsOf(shown.stored.document),
    versions: versions.map(({ document, ...version }) => ({
      ...version,
      terms: termsOf(document),
    })),
  };
}

/** For the audit log: whom it trusts, without the text of its keys and certificates. */
export function noteOf(stored: StoredAuthority) {
  const { version, kind, signers, issuer } = presentAuthority({ stored, usedBy: [] });
  return { version, kind, signers, ...(issuer !== null && { issuer }) };
}

/** The schema parsed it before it was saved. */
function termsOf(document: StoredAuthority['document']): AuthorityTerms {
  return AuthorityTerms.parse(document);
}

function signersOf(terms: AuthorityTerms): string[] {
  if (terms.kind === 'keyless') return [terms.subject];
  if (terms.kind === 'certificate') return terms.identities;
  const { authority } = openAuthority({ name: 'shown', ...terms });
  return authority?.kind === 'key' ? authority.keys.map(({ id }) => id) : [];
}
