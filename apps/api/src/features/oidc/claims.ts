/** Reads the claims of a login: username, groups and the administrator role. Pure. */
import type { OidcSettingsInForce } from './settings.ts';

export type OidcClaims = Record<string, unknown>;

/**
 * Looks up the whole name first (`https://example.com/groups`), then the path
 * (`realm_access.roles`).
 */
export function claimAt(claims: OidcClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>(inner, claims);
}

function inner(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/** Whether the id_token has the required claims, or the userinfo endpoint is needed. */
export function saysEnough(claims: OidcClaims, settings: OidcSettingsInForce): boolean {
  const named = usernameIn(claims, settings.usernameClaim) !== null;
  return named && (!needsGroups(settings) || claimAt(claims, settings.groupsClaim) !== undefined);
}

function needsGroups({ adminGroups, allowedGroups, groupMapping }: OidcSettingsInForce): boolean {
  return adminGroups.length > 0 || allowedGroups.length > 0 || groupMapping.length > 0;
}

/** A list or a single name. */
export function groupsIn(claims: OidcClaims, claim: string): string[] {
  const value = claimAt(claims, claim);
  const names = Array.isArray(value) ? value : [value];
  return names.filter((name) => typeof name === 'string');
}

const LONGEST_NAME = 200;
/**
 * A colon would end the name in Basic credentials; control characters and separators would disguise
 * it.
 */
const UNFIT = /[\p{C}\p{Zl}\p{Zp}:]/gu;

/** The preferred name; the subject if there is no usable claim. */
export function wantedName(claims: OidcClaims, claim: string, subject: string): string {
  return (
    usernameIn(claims, claim) ??
    usernameIn(claims, 'preferred_username') ??
    usernameIn(claims, 'email') ??
    subject
  );
}

function usernameIn(claims: OidcClaims, claim: string): string | null {
  const value = claimAt(claims, claim);
  const name = typeof value === 'string' ? value.normalize('NFC').replaceAll(UNFIT, '').trim() : '';
  return name === '' ? null : name.slice(0, LONGEST_NAME);
}

export function emailIn(claims: OidcClaims): string | null {
  const { email } = claims;
  return typeof email === 'string' && /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(email) ? email : null;
}

export function isAllowed(
  groups: string[],
  { allowedGroups }: Pick<OidcSettingsInForce, 'allowedGroups'>,
): boolean {
  return allowedGroups.length === 0 || groups.some((group) => allowedGroups.includes(group));
}

/** Null where administrators are set by hand. */
export function isAdminBy(
  groups: string[],
  { adminGroups }: Pick<OidcSettingsInForce, 'adminGroups'>,
): boolean | null {
  return adminGroups.length === 0 ? null : groups.some((group) => adminGroups.includes(group));
}

/** Names of local groups. */
export function mappedGroups(
  groups: string[],
  { groupMapping }: Pick<OidcSettingsInForce, 'groupMapping'>,
): string[] {
  const mapped = groupMapping
    .filter(({ claim }) => groups.includes(claim))
    .map(({ group }) => group);
  return [...new Set(mapped)];
}
