/** One request by a button or a menu. A notification says that it failed, or what it did. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/api.ts';
import type { OperationName } from '../../api/client.ts';
import { useNotices } from './notices.ts';

interface Act<V, A> {
  run(given: V): Promise<A>;
  /** The notification; none where the page shows what was done. */
  done?(answer: A): string;
  /** Operations whose answers change, also after a failure. */
  changes: readonly OperationName[];
}

export function useAct<V = void, A = unknown>({ run, done, changes }: Act<V, A>) {
  const queries = useQueryClient();
  const notices = useNotices();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer) => done && notices.done(done(answer)),
    onError: notices.fault,
    onSettled: () =>
      Promise.all(changes.map((name) => queries.invalidateQueries({ queryKey: keyOf(name) }))),
  });
}
