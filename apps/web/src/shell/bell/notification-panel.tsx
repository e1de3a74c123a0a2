/** What the bell opens: the notifications by day, and what marks all of them as read. */
import { Button, Text, Title } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { call, keyOf, page } from '../../api/api.ts';
import { BY_CURSOR } from '../../api/list-pages.ts';
import { useMessages } from '../../i18n/messages.ts';
import { FaultAlert } from '../../kit/fault/fault.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { MoreButton } from '../../kit/table/more-button.tsx';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import classes from './bell.module.css';
import { NotificationList } from './notification-list.tsx';

interface NotificationPanelProps {
  unread: number;
  onClose(): void;
}

export default function NotificationPanel({ unread, onClose }: NotificationPanelProps) {
  const t = useMessages('notifications');
  const title = useRef<HTMLHeadingElement>(null);
  const list = useNotificationList();
  const read = useMarkRead();
  useEffect(() => title.current?.focus(), []);

  /** The button disappears, so the focus moves to the title. */
  function readAll(): void {
    title.current?.focus();
    read.mutate({});
  }

  return (
    <div className={classes.section}>
      <div className={classes.head}>
        <Title
          order={2}
          size="h3"
          ref={title}
          tabIndex={-1}
          data-autofocus
          className={classes.title ?? ''}
        >
          {t.title}
        </Title>
        {unread > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={readAll}>
            {t.readAll}
          </Button>
        )}
      </div>
      <div className={classes.list}>
        <FaultAlert error={read.error} />
        <QueryView query={list} rows={3} rowHeight={60}>
          {({ pages }) => {
            const notifications = pages.flatMap(({ items }) => items.items);
            return notifications.length === 0 ? (
              <Empty />
            ) : (
              <NotificationList
                notifications={notifications}
                onRead={(id) => read.mutate({ ids: [id] })}
                onClose={onClose}
              />
            );
          }}
        </QueryView>
        <MoreButton pages={list} variant="subtle" size="compact-sm" fullWidth>
          {t.older}
        </MoreButton>
      </div>
      <div className={classes.foot}>
        <Button
          component={Link}
          to="/settings/account#notifications"
          variant="subtle"
          size="compact-sm"
          onClick={onClose}
        >
          {t.settings}
        </Button>
      </div>
    </div>
  );
}

function Empty() {
  const t = useMessages('notifications');
  return (
    <div className={classes.empty}>
      <IconBell size={26} stroke={1.5} aria-hidden="true" />
      <Text fw={600}>{t.empty}</Text>
      <Dimmed>{t.emptyText}</Dimmed>
    </div>
  );
}

const PAGE_SIZE = 20;

/** The notifications of the account, page by page, and what marks them as read. */
function useNotificationList() {
  return useInfiniteQuery({
    queryKey: [...keyOf('notifications.listNotifications'), 'pages'],
    queryFn: ({ pageParam }) =>
      page('notifications.listNotifications', { query: { limit: PAGE_SIZE, cursor: pageParam } }),
    ...BY_CURSOR,
  });
}

/** Without ids: all. */
function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids?: string[] }) => call('notifications.markNotificationsRead', { body }),
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: keyOf('notifications.listNotifications') }),
  });
}
