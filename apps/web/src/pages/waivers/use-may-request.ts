import { useAccount } from '../../session/account.ts';
import { useHasRights } from '../../session/no-rights.tsx';
import { isReviewer } from './reviewer.ts';

/** Reviewers request waivers also without a group. */
export function useMayRequest(): boolean {
  const account = useAccount();
  return useHasRights() || isReviewer(account);
}
