/** Shows the rarer acts of a row or of a page in a menu. */
import { ActionIcon, Menu, type MenuProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import classes from './guarded-menu-item.module.css';

interface ActionsMenuProps extends Omit<MenuProps, 'opened' | 'onChange'> {
  label: string;
  /** Sized for the buttons of a page; otherwise for a table row. */
  page?: boolean;
  /** Opens when it is mounted, with the focus on its button, which it takes back when it closes. */
  opensAtOnce?: boolean;
}

/** Not at the end of the document, which is outside of all landmarks. */
const IN_MAIN = { target: '#content' };

const ROW_BUTTON = { variant: 'subtle', color: 'gray', children: <IconDots size={17} /> };
const PAGE_BUTTON = { variant: 'default', size: 36, children: <IconDots size={18} /> };

export function ActionsMenu({
  label,
  page = false,
  opensAtOnce = false,
  children,
  ...rest
}: ActionsMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useLayoutEffect(() => {
    if (!opensAtOnce) return;
    button.current?.focus();
    setOpened(true);
  }, [opensAtOnce]);
  return (
    <Menu
      position="bottom-end"
      portalProps={IN_MAIN}
      opened={opened}
      onChange={setOpened}
      {...rest}
    >
      <Menu.Target>
        <ActionIcon ref={button} aria-label={label} {...(page ? PAGE_BUTTON : ROW_BUTTON)} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface UnusedMenuProps {
  label: string;
  /** The menu, which opens at once. */
  children(): ReactNode;
}

/**
 * The button of a menu that is mounted when it is used first: menus and dialogs in each row make a
 * long list slow.
 */
export function UnusedMenu({ label, children }: UnusedMenuProps) {
  const [isUsed, setUsed] = useState(false);
  if (isUsed) return children();
  return (
    <ActionIcon
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setUsed(true)}
      {...ROW_BUTTON}
    />
  );
}

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

/** A labelled group of menu items; ARIA allows no bare label in a menu. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a menu group
    <div role="group" aria-label={label}>
      <Menu.Label aria-hidden="true">{label}</Menu.Label>
      {children}
    </div>
  );
}
