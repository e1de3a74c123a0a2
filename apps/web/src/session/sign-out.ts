import { call } from '../api/api.ts';

/** The whole page is loaded anew: nothing of the account stays in its memory. */
export async function signOut(): Promise<void> {
  await call('auth.logout').catch(() => undefined);
  window.location.assign('/sign-in');
}
