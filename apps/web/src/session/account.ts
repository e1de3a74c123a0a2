import type { CurrentUser } from '@portcullis/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { ask } from '../api/api.ts';

/** Who is here; below the gate somebody is. */
export function useAccount(): CurrentUser {
  return useSuspenseQuery(ask('auth.me')).data;
}
