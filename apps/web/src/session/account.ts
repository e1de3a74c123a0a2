import type { CurrentUser } from '@portcullis/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';

/** The signed-in account; only below RequireSession. */
export function useAccount(): CurrentUser {
  return useSuspenseQuery(ask('auth.me')).data;
}
