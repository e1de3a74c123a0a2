/** Authorities that are checked and opened: what `verifySignatures` takes. */
import { type ChainCertificate, isSelfSigned } from '../notary/chain.ts';
import type { SigningScheme } from '../notary/content.ts';
import type { DistinguishedName } from '../notary/distinguished-name.ts';
import { type OpenedRoot, openRoot } from '../roots/root.ts';
import { Authority, type AuthorityOf, type ClaimName } from './authority.ts';
import { openIdentities, openStore } from './certificate-stores.ts';
import { type AuthorityFault, AuthorityRefusal } from './faults.ts';
import { acceptsAnybody } from './pattern.ts';
import { openPublicKeys, type PublicKey } from './public-keys.ts';

export interface OpenedKeys {
  readonly kind: 'key';
  readonly name: string;
  readonly keys: readonly PublicKey[];
}

export interface OpenedKeyless {
  readonly kind: 'keyless';
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly claims: readonly (readonly [ClaimName, string])[];
  readonly root: OpenedRoot;
}

export interface OpenedCertificates {
  readonly kind: 'certificate';
  readonly name: string;
  readonly stores: Readonly<Record<SigningScheme, readonly ChainCertificate[]>>;
  readonly timestamps: readonly ChainCertificate[];
  /** None for every signer that the stores vouch for. */
  readonly identities: readonly DistinguishedName[];
}

export type OpenedAuthority = OpenedKeys | OpenedKeyless | OpenedCertificates;

export type AuthorityOrFaults =
  | { readonly authority: OpenedAuthority; readonly faults?: never }
  | { readonly authority?: never; readonly faults: readonly AuthorityFault[] };

/** Never throws: whatever the value is, there is an authority, or what is wrong with it. */
export function openAuthority(value: unknown): AuthorityOrFaults {
  const read = Authority.safeParse(value);
  if (!read.success) {
    const faults = read.error.issues.map(({ path }) => ({
      code: 'FIELD_INVALID' as const,
      field: path.join('.'),
      params: {},
    }));
    return { faults };
  }
  try {
    return { authority: open(read.data) };
  } catch (error) {
    if (error instanceof AuthorityRefusal) return { faults: [error.fault] };
    throw error;
  }
}

function open(authority: Authority): OpenedAuthority {
  switch (authority.kind) {
    case 'key':
      return openKeys(authority);
    case 'keyless':
      return openKeyless(authority);
    case 'certificate':
      return openCertificates(authority);
  }
}

function openKeys({ name, keys }: AuthorityOf<'key'>): OpenedKeys {
  return { kind: 'key', name, keys: openPublicKeys(keys) };
}

function openKeyless(authority: AuthorityOf<'keyless'>): OpenedKeyless {
  const { name, issuer, subject, claims = {}, root } = authority;
  if (!/^[^\s*]+$/.test(issuer)) throw new AuthorityRefusal('ISSUER_INVALID', 'issuer');
  if (acceptsAnybody(subject)) throw new AuthorityRefusal('PATTERN_TOO_WIDE', 'subject');
  const asked = Object.entries(claims) as [ClaimName, string][];
  return { kind: 'keyless', name, issuer, subject, claims: asked, root: openRoot(root) };
}

function openCertificates(authority: AuthorityOf<'certificate'>): OpenedCertificates {
  const { name, store, signing_authority_store, timestamp_store, identities } = authority;
  if (!store && !signing_authority_store) throw new AuthorityRefusal('STORE_MISSING', 'store');
  return {
    kind: 'certificate',
    name,
    stores: {
      'notary.x509': openStore('store', store),
      'notary.x509.signingAuthority': openStore('signing_authority_store', signing_authority_store),
    },
    timestamps: openStore('timestamp_store', timestamp_store, isSelfSigned),
    identities: openIdentities(identities),
  };
}
