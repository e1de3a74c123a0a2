/** `OIDC_ONLY`: which accounts may log in with a password. */
import type { Store } from '@portcullis/store';
import type { PasswordRule } from '../../identity/password-rule.ts';
import { canonicalIssuer } from './accounts.ts';
import { type OidcSettingsInForce, type OidcSettingsReader, usable } from './settings.ts';

/**
 * `admins`: only OIDC is configured, but no administrator has logged in by it yet. Until one has,
 * administrators, and only they, may use passwords.
 */
export type LocalLogin = 'all' | 'admins' | 'none';

export type IdentityPorts = Pick<Store['identities'], 'countAdmins'>;

export async function localLogin(
  settings: OidcSettingsInForce,
  identities: IdentityPorts,
): Promise<LocalLogin> {
  if (!settings.oidcOnly || !usable(settings)) return 'all';
  return (await anAdminGetsIn(settings, identities)) ? 'none' : 'admins';
}

/** An active administrator has logged in by this provider. */
export async function anAdminGetsIn(
  settings: OidcSettingsInForce,
  identities: IdentityPorts,
): Promise<boolean> {
  const ready = usable(settings);
  return ready !== null && (await identities.countAdmins(canonicalIssuer(ready.issuer))) > 0;
}

export function createPasswordRule(ports: {
  settings: Pick<OidcSettingsReader, 'inForce'>;
  identities: IdentityPorts;
}): PasswordRule {
  return {
    async allows(user) {
      const rule = await localLogin(await ports.settings.inForce(), ports.identities);
      return rule === 'all' || (rule === 'admins' && user?.isAdmin !== false);
    },
  };
}
