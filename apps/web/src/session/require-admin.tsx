/** Layout route of administration pages: explains to others why they see nothing. */

import { IconLock } from '@tabler/icons-react';
import { Outlet } from 'react-router';
import { useMessages } from '../i18n/messages.ts';
import { EmptyState } from '../kit/layout/empty-state.tsx';
import { useAccount } from './account.ts';
import { Administrators } from './contacts.tsx';

export function Component() {
  const t = useMessages('adminOnly');
  if (useAccount().is_admin) return <Outlet />;
  return (
    <EmptyState icon={IconLock} title={t.title} text={t.text} page>
      <Administrators />
    </EmptyState>
  );
}
