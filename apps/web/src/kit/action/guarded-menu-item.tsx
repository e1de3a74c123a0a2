import { Menu } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import classes from './guarded-menu-item.module.css';

interface GuardedMenuItemProps {
  /** Why the action is not allowed; null if it is. */
  refusal: string | null;
  icon: ComponentType<{ size?: number }>;
  danger?: boolean;
  onClick(): void;
  children: ReactNode;
}

/** A menu item that stays visible when it is not allowed, with the reason. */
export function GuardedMenuItem({
  refusal,
  icon: Icon,
  danger = false,
  onClick,
  children,
}: GuardedMenuItemProps) {
  return (
    <Menu.Item
      leftSection={<Icon size={16} />}
      aria-disabled={refusal !== null}
      closeMenuOnClick={refusal === null}
      onClick={() => refusal === null && onClick()}
      c={refusal !== null ? 'dimmed' : danger ? 'var(--critical)' : undefined}
    >
      {children}
      {refusal !== null && <span className={classes.refusal}>{refusal}</span>}
    </Menu.Item>
  );
}
