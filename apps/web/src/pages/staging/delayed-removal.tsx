/** Deletes jobs after a delay for undo, or at once when the page is closed. */

import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Job } from '@portcullis/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { call, keyOf, url } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../../kit/action/notices.ts';

const UNDO_MS = 6000;

let removed: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function change(ids: Iterable<string>): void {
  removed = new Set(ids);
  for (const listener of listeners) listener();
}

/** The ids of jobs whose deletion is pending. */
export function usePendingRemovals(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => removed,
  );
}

export function useDelayedRemoval(): (job: Job, message: string) => void {
  const t = useMessages('job');
  const queries = useQueryClient();
  const notices = useNotices();

  return ({ job_id }, message) => {
    change([...removed, job_id]);
    const request = { params: { job_id } };
    const timer = setTimeout(() => void finish(), UNDO_MS);
    const leave = () =>
      void fetch(url('staging.removeJob', request), { method: 'DELETE', keepalive: true });
    window.addEventListener('pagehide', leave);

    async function finish(): Promise<void> {
      forget();
      await call('staging.removeJob', request).catch(notices.fault);
      await queries.invalidateQueries({ queryKey: keyOf('staging.listJobs') });
      change([...removed].filter((id) => id !== job_id));
    }

    function forget(): void {
      clearTimeout(timer);
      window.removeEventListener('pagehide', leave);
      notifications.hide(job_id);
    }

    function undo(): void {
      forget();
      change([...removed].filter((id) => id !== job_id));
    }

    notifications.show({
      id: job_id,
      autoClose: UNDO_MS,
      withCloseButton: false,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{message}</span>
          <Button variant="subtle" size="compact-sm" onClick={undo}>
            {t.undo}
          </Button>
        </Group>
      ),
    });
  };
}
