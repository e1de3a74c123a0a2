/** The notifications of the account, page by page, and what marks them as read. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf, page } from '../../api/api.ts';
import { BY_CURSOR } from '../../api/list-pages.ts';

const PAGE_SIZE = 20;

export function useNotificationList() {
  return useInfiniteQuery({
    queryKey: [...keyOf('notifications.listNotifications'), 'pages'],
    queryFn: ({ pageParam }) =>
      page('notifications.listNotifications', { query: { limit: PAGE_SIZE, cursor: pageParam } }),
    ...BY_CURSOR,
  });
}

/** Without ids: all. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { ids?: string[] }) => call('notifications.markNotificationsRead', { body }),
    onSuccess: () =>
      queries.invalidateQueries({ queryKey: keyOf('notifications.listNotifications') }),
  });
}
