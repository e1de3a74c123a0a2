/**
 * Requests that begin after a delay for undo, also while another page is shown; at once where the
 * page is closed or the session ends.
 */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { call, keyOf, leave } from '../../api/api.ts';
import type { AnswerFor, OperationName, RequestFor } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from './notices.ts';
import { addPendingAct } from './pending-acts.ts';

const UNDO_MS = 6000;
/** Browsers send no larger body after the page is closed. */
const MOST_LATE_BYTES = 60_000;

export interface DelayedAct<N extends OperationName> {
  name: N;
  request: RequestFor<N>;
  /** The operation whose lists change. */
  changes: OperationName;
  /** Ids of the rows that it will remove. */
  hides?: readonly string[];
  message: string;
  /** Says what became of it. */
  onAnswer?: (answer: AnswerFor<N>) => void;
}

export function useDelayedAct() {
  const t = useMessages('bulk');
  const queries = useQueryClient();
  const notices = useNotices();

  return <N extends OperationName>(act: DelayedAct<N>): void => {
    const { name, request, hides = [] } = act;
    const id = `delayed-${nextId++}`;
    const isLate = JSON.stringify(request).length <= MOST_LATE_BYTES;
    const timer = setTimeout(() => void finish(), UNDO_MS);
    const [leaving, onLeave]: [string, (event: Event) => void] = isLate
      ? ['pagehide', () => leave(name, request)]
      : ['beforeunload', (event: Event) => event.preventDefault()];
    window.addEventListener(leaving, onLeave);
    const end = addPendingAct({ hides, finish });

    async function finish(): Promise<void> {
      forget();
      await call(name, request).then(act.onAnswer, notices.fault);
      await queries.invalidateQueries({ queryKey: keyOf(act.changes) });
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
