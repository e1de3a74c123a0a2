/** Authorities that are checked and opened: what `verifySignatures` takes. */
import { type OpenedRoot, openRoot } from '../roots/root.ts';
import { Authority, type AuthorityOf, type ClaimName } from './authority.ts';
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

export type OpenedAuthority = OpenedKeys | OpenedKeyless;

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
