import type { CurrentUser } from '@portcullis/contract';
import { call, url } from '../api/api.ts';
import { finishPendingActs } from '../kit/action/pending-acts.ts';

/** Reloads the page, so that no data of the account stays in memory. */
export async function signOut({ auth_source }: Pick<CurrentUser, 'auth_source'>): Promise<void> {
  await finishPendingActs();
  await call('auth.logout').catch(() => undefined);
  window.location.assign(auth_source === 'oidc' ? url('oidc.logout') : '/login');
}
