/** A drawer at the right side: for the details of an entry, or for a form that edits it. */
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';

export interface SideDrawerProps {
  opened: boolean;
  title: string;
  /** In pixels. */
  size: number;
  children: ReactNode;
  /** Of the button in the corner. */
  closeLabel?: string;
  /** False: only a button in the drawer closes it. */
  closable?: boolean;
  /** Keys and clicks beside it do nothing: another dialog is open above. */
  isBelow?: boolean;
  onClose(): void;
}

export function SideDrawer({
  closeLabel,
  closable = true,
  isBelow = false,
  ...drawer
}: SideDrawerProps) {
  const { close } = useMessages('common');
  return (
    <Drawer
      {...drawer}
      position="right"
      closeOnClickOutside={closable && !isBelow}
      closeOnEscape={closable && !isBelow}
      withCloseButton={closable}
      styles={{ title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 620 } }}
      closeButtonProps={{ 'aria-label': closeLabel ?? close }}
    />
  );
}
