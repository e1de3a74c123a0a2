/** What the form of an authority edits: the terms of all kinds, with lists as lines of text. */
import type { AuthorityDetail, AuthorityTerms } from '@portcullis/contract';

export interface AuthorityDraft {
  name: string;
  kind: AuthorityTerms['kind'];
  keys: string;
  issuer: string;
  subject: string;
  /** Lines of `name = value`. */
  claims: string;
  rootKind: 'sigstore' | 'own';
  root: string;
  store: string;
  signingAuthorityStore: string;
  timestampStore: string;
  /** Lines of text. */
  identities: string;
}

export const GITHUB = 'https://token.actions.githubusercontent.com';

const EMPTY: AuthorityDraft = {
  ...{ name: '', kind: 'key', keys: '', issuer: GITHUB, subject: '', claims: '' },
  ...{ rootKind: 'sigstore', root: '', store: '', signingAuthorityStore: '', timestampStore: '' },
  identities: '',
};

export function draftOf(authority: Pick<AuthorityDetail, 'name' | 'terms'> | null): AuthorityDraft {
  if (authority === null) return EMPTY;
  const { name, terms } = authority;
  const draft = { ...EMPTY, name, kind: terms.kind };
  switch (terms.kind) {
    case 'key':
      return { ...draft, keys: terms.keys };
    case 'keyless':
      return {
        ...draft,
        issuer: terms.issuer,
        subject: terms.subject,
        claims: Object.entries(terms.claims ?? {})
          .map(([claim, value]) => `${claim} = ${value}`)
          .join('\n'),
        ...(terms.root !== 'sigstore' && { rootKind: 'own' as const, root: terms.root }),
      };
    case 'certificate':
      return {
        ...draft,
        store: terms.store ?? '',
        signingAuthorityStore: terms.signing_authority_store ?? '',
        timestampStore: terms.timestamp_store ?? '',
        identities: terms.identities.join('\n'),
      };
  }
}

export function isComplete({ name, kind, ...draft }: AuthorityDraft): boolean {
  const needed = {
    key: [draft.keys],
    keyless: [draft.issuer, draft.subject],
    certificate: [draft.identities],
  }[kind];
  return [name, ...needed].every((text) => text.trim() !== '');
}

export function termsOf(draft: AuthorityDraft): AuthorityTerms {
  switch (draft.kind) {
    case 'key':
      return { kind: 'key', keys: draft.keys };
    case 'keyless':
      return {
        kind: 'keyless',
        issuer: draft.issuer.trim(),
        subject: draft.subject.trim(),
        ...given('claims', claimsOf(draft.claims)),
        root: draft.rootKind === 'own' ? draft.root : 'sigstore',
      };
    case 'certificate':
      return {
        kind: 'certificate',
        ...given('store', draft.store),
        ...given('signing_authority_store', draft.signingAuthorityStore),
        ...given('timestamp_store', draft.timestampStore),
        identities: linesIn(draft.identities),
      };
  }
}

type Claims = NonNullable<Extract<AuthorityTerms, { kind: 'keyless' }>['claims']>;

/** The server knows the names, and says at the field which it does not know. */
function claimsOf(text: string): Claims | '' {
  const lines = linesIn(text);
  if (lines.length === 0) return '';
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Without what is empty. */
function given<K extends string, V>(name: K, value: V | ''): { [N in K]?: V } {
  return (value === '' ? {} : { [name]: value }) as { [N in K]?: V };
}
