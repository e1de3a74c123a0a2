/** The event stream of transfers, which is open while a page with transfers is visible. */
import { useDocumentVisibility } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { EventSourceMessage } from 'eventsource-parser';
import { useEffect, useState } from 'react';
import { open } from '../api/api.ts';
import { type FeedState, followFeed } from './feed.ts';
import { putTransfer, reloadTransfers } from './transfer-cache.ts';

/**
 * Called by a page with transfers. Unless the state is `live`, the page polls.
 * @param id of the transfer that is shown; absent: the list is
 */
export function useLiveTransfers(id?: string): FeedState {
  const queries = useQueryClient();
  const visible = useDocumentVisibility() === 'visible';
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => {
    if (!visible) return;
    const leaving = new AbortController();
    void followFeed({
      open: (lastId, signal) =>
        open('transfers.streamTransferEvents', {
          signal,
          headers: lastId ? { 'last-event-id': lastId } : {},
        }),
      onEvent({ event, data }: EventSourceMessage) {
        // A newer server may send others.
        if (event === 'transfer') putTransfer(queries, JSON.parse(data));
      },
      onState: setState,
      onGap: () => void reloadTransfers(queries, id),
      signal: leaving.signal,
    });
    return () => leaving.abort();
  }, [queries, visible, id]);
  return state;
}
