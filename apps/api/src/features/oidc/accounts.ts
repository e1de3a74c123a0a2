/**
 * Maps a provider login to a local account, which is bound to (issuer, subject) and never to a name
 * that may be reassigned.
 */

import type { GroupNotice } from '@portcullis/domain';
import { forbidden, isAppError } from '@portcullis/errors';
import type { Identity, Store, User } from '@portcullis/store';
import { emailIn, isAdminBy, isAllowed, mappedGroups, needsGroups, wantedName } from './claims.ts';
import { type GivenGroups, groupsIn } from './groups.ts';
import type { Identified } from './provider.ts';
import type { OidcSettingsInForce } from './settings.ts';

export interface Admitted {
  user: User;
  notes: Record<string, unknown>;
  /** What the page says about the groups; null where they were applied, or are not needed. */
  groupNotice: GroupNotice | null;
}

const MOST_SUFFIXES = 1_000;

export function createOidcAccounts(store: Pick<Store, 'identities' | 'users' | 'groups'>) {
  /** @throws forbidden `OIDC_NOT_ALLOWED`, `OIDC_GROUPS_MISSING`, `ACCOUNT_DISABLED` */
  async function admit(identified: Identified, settings: OidcSettingsInForce): Promise<Admitted> {
    const { names: groups, missing } = groupsIn(identified.claims, settings.groupsClaim);
    if (!isAllowed(groups, settings)) {
      if (missing !== null) throw groupsMissing(missing, settings.groupsClaim);
      throw forbidden(
        'OIDC_NOT_ALLOWED',
        'None of your groups at the identity provider may log in here.',
      );
    }
    const identity = { issuer: canonicalIssuer(identified.issuer), subject: identified.subject };
    const found = await store.identities.findUser(identity);
    if (found?.disabled) throw forbidden('ACCOUNT_DISABLED', 'The account is disabled.');
    const user = found ?? (await make(identity, identified, settings));
    const isWhole = missing === null;
    // What the provider did not say changes nothing.
    const role = isWhole ? await applyRole(user, isAdminBy(groups, settings)) : { user, notes: {} };
    const membership = isWhole ? await applyGroups(user, mappedGroups(groups, settings)) : null;
    await applyEmail(role.user, emailIn(identified.claims));
    await store.identities.loggedIn(identity, new Date());
    const notes = {
      ...(found === null && { account_created: true }),
      ...role.notes,
      ...membership,
      ...(!isWhole && needsGroups(settings) && { groups_unknown: missing }),
    };
    const unapplied = membership?.missing_groups === undefined ? null : 'not_here';
    const groupNotice = needsGroups(settings) ? (missing ?? unapplied) : null;
    return { user: role.user, notes, groupNotice };
  }

  /** A name that is taken gets a number. */
  async function make(
    identity: Identity,
    { claims }: Identified,
    settings: OidcSettingsInForce,
  ): Promise<User> {
    const wanted = wantedName(claims, settings.usernameClaim, identity.subject);
    const rest = { passwordHash: null, authSource: 'oidc' as const, email: emailIn(claims) };
    for (let number = 1; number < MOST_SUFFIXES; number++) {
      const username = number === 1 ? wanted : `${wanted}-${number}`;
      const made = await unlessTaken(store.identities.insertUser(identity, { username, ...rest }));
      // Two logins of a new account may run at once.
      const user = made ?? (await store.identities.findUser(identity));
      if (user) return user;
    }
    throw forbidden('OIDC_USERNAME_TAKEN', 'There are too many accounts of that name.');
  }

  /**
   * If the provider determines administrators, each login updates the role, except that the last
   * administrator keeps it.
   */
  async function applyRole(user: User, isAdmin: boolean | null) {
    if (isAdmin === null || isAdmin === user.isAdmin) return { user, notes: {} };
    const updated = await unlessTaken(store.users.update(user.id, { isAdmin }));
    if (!updated) return { user, notes: { kept_as_last_admin: true } };
    return { user: updated, notes: { admin: isAdmin } };
  }

  async function applyGroups(user: User, names: string[]): Promise<AppliedGroups> {
    const mapped = await store.groups.listByNames(names);
    const ids = mapped.map(({ id }) => id);
    await store.groups.replaceProvided(user.id, ids);
    const groups = mapped.map(({ name }) => name);
    const missing = names.filter((name) => !groups.includes(name));
    return { groups, ...(missing.length > 0 && { missing_groups: missing }) };
  }

  async function applyEmail(user: User, email: string | null): Promise<void> {
    if (email !== null && email !== user.email) await store.users.update(user.id, { email });
  }

  return { admit };
}
/** Names; `missing_groups` are mapped and not here. */
interface AppliedGroups {
  groups: string[];
  missing_groups?: string[];
}

export type OidcAccounts = ReturnType<typeof createOidcAccounts>;

const WHY_MISSING = {
  absent: 'has no claim with them',
  overage: 'left them out, because there are too many',
  unreadable: 'sent them in a form that is not known here',
};

function groupsMissing(missing: NonNullable<GivenGroups['missing']>, claim: string): Error {
  const why = `Only members of certain groups may log in here, and the identity provider ${WHY_MISSING[missing]} (${claim}).`;
  return forbidden('OIDC_GROUPS_MISSING', why);
}

/** Normalizes an issuer, in bindings and settings. */
export function canonicalIssuer(issuer: string): string {
  return new URL(issuer).href;
}

/** Null for a conflict. */
async function unlessTaken(write: Promise<User>): Promise<User | null> {
  try {
    return await write;
  } catch (error) {
    if (isAppError(error) && error.kind === 'conflict') return null;
    throw error;
  }
}
