import type { CurrentUser } from '@portcullis/contract';
import { call, url } from '../api/api.ts';

/** The whole page is loaded anew: nothing of the account stays in its memory. */
export async function signOut({ auth_source }: Pick<CurrentUser, 'auth_source'>): Promise<void> {
  await call('auth.logout').catch(() => undefined);
  window.location.assign(auth_source === 'oidc' ? url('oidc.logout') : '/login');
}
