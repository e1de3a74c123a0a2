/** Why the account may not change a registry; null if allowed. */
import type { Registry } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { useAccount } from '../../session/account.ts';

export function useChangeRefusal(): (registry: Registry) => string | null {
  const { mayNotEdit } = useMessages('registries');
  const { is_admin: isAdmin } = useAccount();
  return ({ owner }) => (owner === 'global' && !isAdmin ? mayNotEdit : null);
}
