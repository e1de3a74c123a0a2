/** In place of what an account without groups cannot use: what it lacks, and whom to ask. */
import { IconLock } from '@tabler/icons-react';
import { useMessages } from '../i18n/messages.ts';
import { EmptyState } from '../kit/layout/empty-state.tsx';
import { loadedPart } from '../kit/loaded-part.tsx';
import { useAccount } from './account.ts';

const Administrators = loadedPart(async () => ({
  default: (await import('./contacts.tsx')).Administrators,
}));

export function NoRights() {
  const t = useMessages('staging');
  return (
    <EmptyState icon={IconLock} title={t.noRightsTitle} text={t.noRights}>
      <Administrators />
    </EmptyState>
  );
}

/** All permissions on folders and for other registries come from groups. */
export function useHasRights(): boolean {
  const { is_admin, groups } = useAccount();
  return is_admin || groups.length > 0;
}
