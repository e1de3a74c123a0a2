/** The buttons that open the command palette. */
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMessages } from '../i18n/messages.ts';
import classes from './shell.module.css';
import { shownKeys } from './shortcuts.ts';

export const SEARCH_KEYS = 'Ctrl+k';

/** In the sidebar. */
export function SearchButton({ onClick }: { onClick(): void }) {
  const t = useMessages('shell');
  return (
    <UnstyledButton
      className={classes.search ?? ''}
      visibleFrom="sm"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onClick}
    >
      <IconSearch size={16} stroke={1.7} aria-hidden="true" />
      <span style={{ flex: 1 }}>{t.search}</span>
      <Kbd size="xs" aria-hidden="true">
        {shownKeys(SEARCH_KEYS).join(' ')}
      </Kbd>
    </UnstyledButton>
  );
}

/** In the header of a narrow page. */
export function SearchIcon({ onClick }: { onClick(): void }) {
  const t = useMessages('shell');
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t.search}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      <IconSearch size={20} stroke={1.7} />
    </ActionIcon>
  );
}
