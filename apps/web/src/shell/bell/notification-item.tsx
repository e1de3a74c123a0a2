/** Shows one notification. */
import { Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { Notification } from '@portcullis/contract';
import {
  IconAlertTriangle,
  IconArrowsTransferUp,
  IconBarrierBlock,
  IconBug,
  IconCheck,
  IconCircleCheck,
  IconFileCheck,
} from '@tabler/icons-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { useWords } from '../../i18n/messages.ts';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import type { Tone } from '../../kit/verdict/badge.tsx';
import classes from './bell.module.css';
import { notificationPath } from './notification-path.ts';
import { useNotificationWords } from './notification-words.ts';

const LOOKS: Record<Notification['kind'], [Tone, typeof IconBug]> = {
  'job.blocked': ['critical', IconBarrierBlock],
  'job.pushed': ['good', IconCircleCheck],
  'job.failed': ['high', IconAlertTriangle],
  'transfer.finished': ['unknown', IconArrowsTransferUp],
  'image.blocked': ['critical', IconBarrierBlock],
  'image.cleared': ['good', IconCircleCheck],
  'vulnerability.appeared': ['high', IconBug],
  'waiver.waiting': ['wait', IconFileCheck],
  'waiver.decided': ['wait', IconFileCheck],
  'waiver.ending': ['wait', IconFileCheck],
  'review.waiting': ['wait', IconFileCheck],
  'review.decided': ['wait', IconFileCheck],
  'review.commented': ['wait', IconFileCheck],
};

interface NotificationItemProps {
  notification: Notification;
  onRead(): void;
  /** Its page is opened. */
  onOpen(): void;
}

export function NotificationItem({ notification, onRead, onOpen }: NotificationItemProps) {
  const [t, format] = useWords('notifications');
  const { headline, more } = useNotificationWords()(notification);
  const link = useRef<HTMLAnchorElement>(null);
  const [tone, Icon] = LOOKS[notification.kind];
  const isUnread = notification.read_at === null;

  /** The button disappears, so the focus moves to the link. */
  function read(): void {
    link.current?.focus();
    onRead();
  }

  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Link
        ref={link}
        to={notificationPath(notification)}
        className={classes.link}
        data-tone={tone}
        onClick={onOpen}
      >
        <Icon size={18} stroke={1.7} aria-hidden="true" />
        <span className={classes.text}>
          <span className={classes.headline}>
            {isUnread && (
              <VisuallyHidden>
                {t.unread}
                {format.colon}
              </VisuallyHidden>
            )}
            {headline}
          </span>
          {more !== null && <span className={classes.more}>{more}</span>}
          <span className={classes.time}>
            <RelativeTime at={notification.created_at} />
          </span>
        </span>
      </Link>
      {isUnread && (
        <Tooltip label={t.read} withinPortal={false} position="left">
          <UnstyledButton
            className={classes.read ?? ''}
            aria-label={t.readOne(headline)}
            onClick={read}
          >
            <IconCheck size={16} stroke={2} className={classes.check} aria-hidden="true" />
          </UnstyledButton>
        </Tooltip>
      )}
    </li>
  );
}
