import type { CurrentUser } from '@portcullis/contract';
import { call, url } from '../api/api.ts';
import { finishPendingActs } from '../kit/action/pending-acts.ts';
import { forgetRecent } from '../shell/palette/recent.ts';

/** Reloads the page, so that no data of the account stays in the browser. */
export async function signOut({
  auth_source,
  id,
}: Pick<CurrentUser, 'auth_source' | 'id'>): Promise<void> {
  forgetRecent(id);
  await finishPendingActs();
  await call('auth.logout').catch(() => undefined);
  window.location.assign(auth_source === 'oidc' ? url('oidc.logout') : '/login');
}
