/** The selected rows for an act: all pages of the list where all that match are selected. */
import { useMutation } from '@tanstack/react-query';
import { useNotices } from '../action/notices.ts';
import type { SelectableList } from '../list/list.ts';

interface ChosenRows<T> {
  /** Those that are loaded. */
  chosen: readonly T[];
  /** All that match are being loaded. */
  isPending: boolean;
  /** Calls the act with the rows. Rows that are added later are no part. */
  find(act: (rows: readonly T[]) => void): void;
  /** The same, and ends the selection. */
  start(act: (rows: readonly T[]) => void): void;
}

export function useChosenRows<T>(list: Pick<SelectableList<T>, 'table' | 'all'>): ChosenRows<T> {
  const { rows, keyOf, selection } = list.table;
  const { everything, has, clear } = selection;
  const notices = useNotices();
  const chosen = rows.filter((row) => has(keyOf(row)));
  const { mutate, isPending } = useMutation({
    mutationFn: async (): Promise<readonly T[]> => (everything ? list.all() : chosen),
    onError: notices.fault,
  });
  const find: ChosenRows<T>['find'] = (act) => mutate(undefined, { onSuccess: act });
  const start: ChosenRows<T>['start'] = (act) =>
    find((found) => {
      act(found);
      clear();
    });
  return { chosen, isPending, find, start };
}
