/** Whether passwords are accepted; an installation may allow only its identity provider. */
import { forbidden } from '@portcullis/errors';
import type { User } from '@portcullis/store';
import type { CheckPassword } from './password-check.ts';

export interface PasswordRule {
  /** Whether this account may use its password; without an account, whether any may. */
  allows(user: Pick<User, 'isAdmin'> | null): Promise<boolean>;
}

/** @throws forbidden `OIDC_ONLY` */
export function underRule(checkPassword: CheckPassword, rule: PasswordRule): CheckPassword {
  return async (attempted) => {
    if (!(await rule.allows(null))) throw oidcOnly();
    const user = await checkPassword(attempted);
    if (!(await rule.allows(user))) throw oidcOnly();
    return user;
  };
}

function oidcOnly(): Error {
  return forbidden('OIDC_ONLY', 'Log in by the identity provider: passwords are not taken here.');
}
