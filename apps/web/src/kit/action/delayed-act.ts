/** A request that begins after a delay for undo. */
import type { AnswerFor, OperationName, RequestFor } from '../../api/client.ts';
import { useDelayedRequests } from './delayed-requests.tsx';
import { useNotices } from './notices.ts';

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
  const start = useDelayedRequests();
  const notices = useNotices();
  return <N extends OperationName>({ request, onAnswer, ...act }: DelayedAct<N>): void =>
    start({
      ...act,
      requests: [request],
      onResults: ([result]) => {
        if (result?.status === 'fulfilled') onAnswer?.(result.value);
        else notices.fault(result?.reason);
      },
    });
}
