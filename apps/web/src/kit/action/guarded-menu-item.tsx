import { Menu } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import classes from './guarded-menu-item.module.css';

interface GuardedMenuItemProps {
  /** Why not; null where it is allowed. */
  refusal: string | null;
  icon: ComponentType<{ size?: number }>;
  /** Something will be gone. */
  danger?: boolean;
  onClick(): void;
  children: ReactNode;
}

/** An entry of a menu that stays readable where it isn't allowed, and says why. */
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
