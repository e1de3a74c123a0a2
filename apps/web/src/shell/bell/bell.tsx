/** The bell with the number of unread notifications. Their list is loaded when it opens. */
import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useRef } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { loadedPart } from '../../kit/loaded-part.tsx';
import classes from './bell.module.css';

const NotificationPanel = loadedPart(
  () => import('./notification-panel.tsx'),
  <div className={classes.section} />,
);

/** The event stream announces changes; this is for messages that it lost. */
const REFRESH_MS = 120_000;
const MOST_SHOWN = 99;

export interface BellProps {
  opened: boolean;
  onToggle(): void;
  onClose(): void;
}

export function Bell({ opened, onToggle, onClose }: BellProps) {
  const t = useMessages('shell');
  const { data } = useAnswer(
    'notifications.listNotifications',
    { query: { limit: 1 } },
    { refetchInterval: REFRESH_MS },
  );
  const unread = data?.unread ?? 0;
  const button = useRef<HTMLButtonElement>(null);

  /** Popover returns the focus only where it was opened, and not after it moved to the header. */
  function close(): void {
    onClose();
    button.current?.focus();
  }

  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-start"
      width={400}
      shadow="md"
      transitionProps={{ duration: 80 }}
      trapFocus
      hideDetached={false}
    >
      <Popover.Target>
        <ActionIcon
          ref={button}
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell ?? ''}
          aria-label={t.notifications(unread)}
          onClick={onToggle}
        >
          <IconBell size={20} stroke={1.7} aria-hidden="true" />
          {unread > 0 && (
            <span className={classes.count} aria-hidden="true">
              {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel ?? ''}>
        <NotificationPanel unread={unread} onClose={close} />
      </Popover.Dropdown>
    </Popover>
  );
}
