/** Lists notifications by day. */
import type { Notification } from '@portcullis/contract';
import { type ReactNode, useId } from 'react';
import { useWords } from '../../i18n/messages.ts';
import classes from './bell.module.css';
import { byDay } from './notification-days.ts';
import { NotificationItem } from './notification-item.tsx';

interface NotificationListProps {
  /** Newest first. */
  notifications: readonly Notification[];
  onRead(id: string): void;
  onClose(): void;
}

export function NotificationList({ notifications, onRead, onClose }: NotificationListProps) {
  const [t, format] = useWords('notifications');
  return byDay(notifications, new Date()).map(({ name, at, items }) => (
    <Day key={at} title={name === null ? format.date(at) : t.days[name]}>
      {items.map((each) => {
        const read = () => {
          if (each.read_at === null) onRead(each.id);
        };
        const open = () => {
          read();
          onClose();
        };
        return <NotificationItem key={each.id} notification={each} onRead={read} onOpen={open} />;
      })}
    </Day>
  ));
}

function Day({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <h3 className={classes.day} id={id}>
        {title}
      </h3>
      <ul className={classes.items} aria-labelledby={id}>
        {children}
      </ul>
    </>
  );
}
