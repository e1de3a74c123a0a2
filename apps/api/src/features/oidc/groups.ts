/**
 * Reads the groups of a login in the forms in which providers send them. A claim that is missing,
 * or in a form that we can't read, says nothing: it is never the same as an empty list. Pure.
 */
import { isRecord } from '@portcullis/domain';
import { claimAt, type OidcClaims } from './claims.ts';

export interface GivenGroups {
  names: string[];
  /**
   * Null where the names are all groups of the account. `absent`: there is no such claim.
   * `overage`: the provider left them out for their number, as Entra does above 200. `unreadable`:
   * some are in a form that we don't know.
   */
  missing: 'absent' | 'overage' | 'unreadable' | null;
}

export function groupsIn(claims: OidcClaims, claim: string): GivenGroups {
  const value = claimAt(claims, claim) ?? undefined;
  if (value === undefined) {
    return { names: [], missing: isOverage(claims, claim) ? 'overage' : 'absent' };
  }
  const read = entriesOf(value).map(nameOf);
  const names = read.filter((name) => name !== null);
  const isWhole = names.length === read.length;
  return { names: [...new Set(names)], missing: isWhole ? null : 'unreadable' };
}

/** Entra says `hasgroups` where a redirect has no room for the names, and elsewhere a source. */
function isOverage(claims: OidcClaims, claim: string): boolean {
  return sourceOf(claims, claim) !== null || (claim === 'groups' && claims.hasgroups === true);
}

/** A list, a single one, or an object whose keys are the names, as Zitadel's roles. */
function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === '') return [];
  if (isRecord(value) && nameOf(value) === null) {
    const keys = Object.keys(value);
    return keys.every((key) => isRecord(value[key]) || value[key] === true) ? keys : [value];
  }
  return [value];
}

/**
 * One field alone, the first of these: a group whose display name is the id of another one must not
 * pass for it.
 */
const NAMES = ['name', 'displayName', 'display_name', 'display', 'value', 'id'];

function nameOf(entry: unknown): string | null {
  if (typeof entry === 'string') return entry;
  if (typeof entry === 'number') return String(entry);
  if (!isRecord(entry)) return null;
  const field = NAMES.find((name) => Object.hasOwn(entry, name));
  const name = field === undefined ? undefined : entry[field];
  return typeof name === 'string' && name !== '' ? name : null;
}

export interface ClaimSource {
  endpoint: string;
  accessToken: string | null;
}

/** Where the provider says that it has the claim (OpenID Connect Core § 5.6.2). */
export function sourceOf(claims: OidcClaims, claim: string): ClaimSource | null {
  const { _claim_names: names, _claim_sources: sources } = claims;
  if (!isRecord(names) || !Object.hasOwn(names, claim)) return null;
  const key = names[claim];
  const source = isRecord(sources) && typeof key === 'string' ? sources[key] : undefined;
  const { endpoint, access_token: token } = isRecord(source) ? source : {};
  return {
    endpoint: typeof endpoint === 'string' ? endpoint : '',
    accessToken: typeof token === 'string' ? token : null,
  };
}
