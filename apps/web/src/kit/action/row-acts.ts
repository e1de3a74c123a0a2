/** The same request for each selected row, after a delay for one undo. */
import type { OperationName, RequestFor } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNamedNotice } from './bulk-notice.tsx';
import { bulkResultOf } from './bulk-result.ts';
import { useDelayedRequests } from './delayed-requests.tsx';
import { useNotices } from './notices.ts';

interface RowActs<N extends OperationName> {
  name: N;
  requests: readonly RequestFor<N>[];
  /** The operation whose lists change. */
  changes: OperationName;
  /** Ids of the rows that they will remove. */
  hides?: readonly string[];
  /** Of the rows, where those that are left as they are should be named. */
  names?: readonly string[];
  message: string;
}

/** Says which rows were left as they are, and why. */
export function useRowActs() {
  const start = useDelayedRequests();
  const report = useNamedNotice();
  const sayNothing = useNothingToDo();
  return <N extends OperationName>({ names, ...acts }: RowActs<N>): void => {
    if (acts.requests.length === 0) sayNothing();
    else start({ ...acts, onResults: (results) => report(bulkResultOf(results, names)) });
  };
}

/** Says that the act applies to none of the rows, where all that match were selected. */
export function useNothingToDo(): () => void {
  const { nothing } = useMessages('rowActs');
  const notices = useNotices();
  return () => notices.done(nothing);
}
