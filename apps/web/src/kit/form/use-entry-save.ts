/** Saves an entry of a list, new or changed, and refetches what shows it. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotices } from '../action/notices.ts';

interface EntrySave<Draft, Entry> {
  save(draft: Draft): Promise<Entry>;
  /** The notification after it was saved. */
  done(entry: Entry): string;
  /** Queries that have the entry. */
  lists: readonly QueryKey[];
  /** Called once the queries are refetched. */
  onDone(entry: Entry): void;
}

export function useEntrySave<Draft, Entry>({ save, done, lists, onDone }: EntrySave<Draft, Entry>) {
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    async onSuccess(entry) {
      await Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })));
      notices.done(done(entry));
      onDone(entry);
    },
  });
}
