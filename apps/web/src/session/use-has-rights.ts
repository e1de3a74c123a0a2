import { useAccount } from './account.ts';

/** All permissions on folders and for other registries come from groups. */
export function useHasRights(): boolean {
  const { is_admin, groups } = useAccount();
  return is_admin || groups.length > 0;
}
