import { useAccount } from './account.ts';

/** All permissions come from groups. */
export function useHasRights(): boolean {
  const { is_admin, groups } = useAccount();
  return is_admin || groups.length > 0;
}
