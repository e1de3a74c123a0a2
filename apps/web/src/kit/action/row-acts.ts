/** The same request for each selected row, after a delay for one undo. */
import type { OperationName, RequestFor } from '../../api/client.ts';
import { useBulkNotice } from './bulk-notice.tsx';
import { bulkResultOf } from './bulk-result.ts';
import { useDelayedRequests } from './delayed-requests.tsx';

interface RowActs<N extends OperationName> {
  name: N;
  requests: readonly RequestFor<N>[];
  /** The operation whose lists change. */
  changes: OperationName;
  /** Ids of the rows that they will remove. */
  hides?: readonly string[];
  message: string;
}

/** Says which rows were left as they are, and why. */
export function useRowActs() {
  const start = useDelayedRequests();
  const report = useBulkNotice();
  return <N extends OperationName>(acts: RowActs<N>): void =>
    start({ ...acts, onResults: (results) => report(bulkResultOf(results)) });
}
