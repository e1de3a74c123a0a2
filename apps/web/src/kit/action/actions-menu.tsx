import { ActionIcon, Menu, type MenuProps } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

interface ActionsMenuProps extends MenuProps {
  label: string;
  /** Sized for the buttons of a page; otherwise for a table row. */
  page?: boolean;
}

/** Not at the end of the document, which is outside of all landmarks. */
const IN_MAIN = { target: '#content' };

export function ActionsMenu({ label, page = false, children, ...rest }: ActionsMenuProps) {
  const looks = page ? { variant: 'default', size: 36 } : { variant: 'subtle', color: 'gray' };
  return (
    <Menu position="bottom-end" portalProps={IN_MAIN} {...rest}>
      <Menu.Target>
        <ActionIcon {...looks} aria-label={label}>
          <IconDots size={page ? 18 : 17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
