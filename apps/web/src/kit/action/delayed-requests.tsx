/**
 * Requests of one act that begin after a delay for its undo, also while another page is shown; at
 * once where the page is closed or the session ends. While some of them wait for others, the
 * browser asks before it closes the page.
 */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf, leave } from '../../api/api.ts';
import type { AnswerFor, OperationName, RequestFor } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { refetched } from '../../live/refetched.ts';
import { settledInTurn } from './bulk-result.ts';
import { addPendingAct } from './pending-acts.ts';

const UNDO_MS = 6000;
/** Browsers send no larger bodies after the page is closed. */
const MOST_LATE_BYTES = 60_000;

interface DelayedRequests<N extends OperationName> {
  name: N;
  /** One after the other. */
  requests: readonly RequestFor<N>[];
  /** The operation whose lists change. */
  changes: OperationName;
  /** Ids of the rows that they will remove. */
  hides?: readonly string[];
  message: string;
  onResults(results: readonly PromiseSettledResult<AnswerFor<N>>[]): void;
}

export function useDelayedRequests() {
  const t = useMessages('bulk');
  const queries = useQueryClient();

  return <N extends OperationName>(act: DelayedRequests<N>): void => {
    const { name, requests, hides = [] } = act;
    const id = `delayed-${nextId++}`;
    const isLate = JSON.stringify(requests).length <= MOST_LATE_BYTES;
    const timer = setTimeout(() => void finish(), UNDO_MS);
    const [leaving, onLeave]: [string, (event: Event) => void] = isLate
      ? ['pagehide', leaveAll]
      : ['beforeunload', ask];
    window.addEventListener(leaving, onLeave);
    const end = addPendingAct({ hides, finish });

    function leaveAll(): void {
      for (const request of requests) leave(name, request);
    }

    let finishing: Promise<void> | undefined;
    function finish(): Promise<void> {
      finishing ??= carryOut();
      return finishing;
    }

    async function carryOut(): Promise<void> {
      forget();
      window.addEventListener('beforeunload', ask);
      const results = await settledInTurn(requests, (request) => {
        if (request === requests.at(-1)) window.removeEventListener('beforeunload', ask);
        return call(name, request);
      });
      act.onResults(results);
      await refetched(queries, keyOf(act.changes));
      end();
    }

    function forget(): void {
      clearTimeout(timer);
      window.removeEventListener(leaving, onLeave);
      notifications.hide(id);
    }

    function undo(): void {
      forget();
      end();
    }

    notifications.show({
      id,
      autoClose: UNDO_MS,
      withCloseButton: false,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{act.message}</span>
          <Button variant="subtle" size="compact-sm" onClick={undo}>
            {t.undo}
          </Button>
        </Group>
      ),
    });
  };
}

let nextId = 0;

function ask(event: Event): void {
  event.preventDefault();
}
