/** The signed-in account. */
import type { CurrentUser } from '@portcullis/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, keyOf } from '../api/api.ts';
import { ProblemError } from '../api/problem-error.ts';

/** Below the key of `auth.me`, but a missing session is no failed request. */
export const accountQuery = queryOptions({
  queryKey: keyOf('auth.me'),
  queryFn: readAccount,
});

/** @throws ProblemError 401 without a session */
export async function readAccount(): Promise<CurrentUser> {
  const { user } = await call('auth.session');
  if (!user) throw new ProblemError({ status: 401, code: 'CREDENTIAL_MISSING' });
  return user;
}

/** Only below RequireSession. */
export function useAccount(): CurrentUser {
  return useSuspenseQuery(accountQuery).data;
}
