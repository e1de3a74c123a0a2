/** Says which permission the account lacks for what a form is about, and whom to ask. */
import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Administrators } from './contacts.tsx';

export function PermissionAlert({ children }: { children: ReactNode }) {
  return (
    <Alert variant="light" color="gray" icon={<IconLock size={18} />}>
      {children}
      <Administrators />
    </Alert>
  );
}
