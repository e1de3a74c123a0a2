/** Scopes of `/v2` tokens (https://distribution.github.io/distribution/spec/auth/scope/). Pure. */
import { isRepository } from '@portcullis/oci';
import { z } from 'zod';

const V2_ACTIONS = ['pull', 'push', 'delete'] as const;
export type V2Action = (typeof V2_ACTIONS)[number];

export const Scope = z.union([
  z.object({
    type: z.literal('repository'),
    name: z.string(),
    actions: z.array(z.enum(V2_ACTIONS)),
  }),
  z.object({
    type: z.literal('registry'),
    name: z.literal('catalog'),
    actions: z.array(z.literal('*')),
  }),
]);
export type Scope = z.output<typeof Scope>;

/** The scopes of a token; null for a password, which has all rights of the account. */
export type Scopes = readonly Scope[] | null;

export const CATALOG_SCOPE = 'registry:catalog:*';

export function coversCatalog(scopes: Scopes): boolean {
  return scopes === null || scopes.some(({ type }) => type === 'registry');
}

export function covers(scopes: Scopes, action: V2Action, repository: string): boolean {
  return scopes === null || scopes.some((scope) => allows(scope, action, repository));
}

function allows(scope: Scope, action: V2Action, repository: string): boolean {
  return scope.type === 'repository' && scope.name === repository && scope.actions.includes(action);
}

const MAX_SCOPES = 40;
/** A token is sent in a header, and clients and proxies accept at most 8 KiB of headers. */
const MAX_NAMES_LENGTH = 2_500;

/**
 * Parses `repository:name:pull,push`, several separated by spaces or in separate parameters.
 * Unknown scopes are omitted, as the token specification requires. A colon in the name (a host with
 * a port) would name another resource.
 */
export function parseScopes(values: string[]): Scope[] {
  const words = new Set(values.flatMap((value) => value.split(' ')));
  const scopes = [...words].map(parseScope).filter((scope) => scope !== null);
  let length = 0;
  return scopes.slice(0, MAX_SCOPES).filter(({ name }) => {
    length += name.length;
    return length <= MAX_NAMES_LENGTH;
  });
}

function parseScope(word: string): Scope | null {
  if (word === CATALOG_SCOPE) return { type: 'registry', name: 'catalog', actions: ['*'] };
  const [type, name = '', actions = '', ...more] = word.split(':');
  if (type !== 'repository' || more.length > 0 || !isRepository(name)) return null;
  const given = actions.split(',');
  return {
    type,
    name,
    actions: V2_ACTIONS.filter((action) => given.includes(action) || given.includes('*')),
  };
}
