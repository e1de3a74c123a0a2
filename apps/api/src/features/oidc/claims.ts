/** Reads the claims of a login: username and address, and what the groups mean. Pure. */
import type { OidcSettingsInForce } from './settings.ts';

export type OidcClaims = Record<string, unknown>;

/**
 * Looks up the whole name first (`https://example.com/groups`), then the path
 * (`realm_access.roles`). A key of the path may have dots
 * (`resource_access.images.example.com.roles`): the longest one that exists and has the rest is
 * used.
 */
export function claimAt(claims: unknown, name: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined;
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name);
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const key = name.slice(0, dot);
    const inner = Object.hasOwn(claims, key) ? Reflect.get(claims, key) : undefined;
    const found = claimAt(inner, name.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the id_token has the required claims, or the userinfo endpoint is needed. */
export function saysEnough(claims: OidcClaims, settings: OidcSettingsInForce): boolean {
  const named = usernameIn(claims, settings.usernameClaim) !== null;
  const hasGroups = (claimAt(claims, settings.groupsClaim) ?? undefined) !== undefined;
  return named && (hasGroups || !needsGroups(settings));
}

export function needsGroups({
  adminGroups,
  allowedGroups,
  groupMapping,
}: OidcSettingsInForce): boolean {
  return adminGroups.length > 0 || allowedGroups.length > 0 || groupMapping.length > 0;
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
