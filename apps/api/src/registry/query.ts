/** Parses and rebuilds `/v2` query strings: known parameters only, each at most once. */
import { invalid } from '@portcullis/errors';
import { isDigest, isRepository } from '@portcullis/oci';

export type Query = ReadonlyMap<string, string>;

const ANY = /^[\x20-\x7e]{1,2048}$/;
const ONCE: Record<string, (value: string) => boolean> = {
  digest: isDigest,
  mount: isDigest,
  from: isRepository,
  'digest-algorithm': (value) => value === 'sha256' || value === 'sha512',
  n: (value) => /^\d{1,9}$/.test(value),
  last: (value) => /^[A-Za-z0-9._:/-]{1,255}$/.test(value),
  artifactType: (value) => ANY.test(value),
  _state: (value) => ANY.test(value),
  _owner: (value) => /^[A-Za-z0-9_-]{43}$/.test(value),
};

const KNOWN = {
  base: [],
  catalog: ['n', 'last'],
  manifest: [],
  blob: [],
  'upload-start': ['mount', 'from', 'digest', 'digest-algorithm'],
  // `_state` is the registry's parameter, `_owner` ours (upload-session.ts).
  upload: ['digest', '_state', '_owner'],
  tags: ['n', 'last'],
  referrers: ['artifactType', 'last'],
} as const satisfies Record<string, readonly string[]>;

/** The kinds of requests that share this grammar; the token endpoint has another one. */
type QueriedKind = keyof typeof KNOWN;

/**
 * Unknown parameters are dropped (containerd sends `ns`), known ones must be valid.
 * @throws invalid `DIGEST_INVALID`, `NAME_INVALID`, `PAGINATION_NUMBER_INVALID` or `QUERY_INVALID`
 */
export function parseQuery(kind: QueriedKind | 'token', text: string): Query {
  const given = new URLSearchParams(text);
  if (kind === 'token') return new Map(); // repeats `scope`; token.ts reads it
  const known = KNOWN[kind].filter((name: string) => given.has(name));
  return new Map(known.map((name) => [name, only(name, given.getAll(name))]));
}

function only(name: string, values: string[]): string {
  const [value, ...more] = values;
  if (value === undefined || more.length > 0 || !ONCE[name]?.(value)) {
    throw invalid(
      CODES[name] ?? 'QUERY_INVALID',
      `the parameter ${name} is not right, or given twice`,
    );
  }
  return value;
}

const CODES: Record<string, string> = {
  digest: 'DIGEST_INVALID',
  mount: 'DIGEST_INVALID',
  from: 'NAME_INVALID',
  n: 'PAGINATION_NUMBER_INVALID',
};

/** With the question mark; empty without parameters. */
export function formatQuery(query: Query): string {
  return query.size === 0 ? '' : `?${new URLSearchParams([...query])}`;
}

export function without(query: Query, ...names: string[]): Query {
  return new Map([...query].filter(([name]) => !names.includes(name)));
}
