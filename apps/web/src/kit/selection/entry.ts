/** An entry of a list: a row with an id and a name. */
import type { SelectableList } from '../list/list.ts';
import type { SelectedRows } from '../table/selected-rows.ts';
export interface ListEntry {
  id: string;
  name: string;
}

export const entryKey = ({ id }: ListEntry): string => id;
export const entryName = ({ name }: Pick<ListEntry, 'name'>): string => name;

/** The same change of each entry by its id; those that are refused are named. */
export function changesById<B>(entries: readonly ListEntry[], body: B) {
  return {
    requests: entries.map(({ id }) => ({ params: { id }, body })),
    names: entries.map(entryName),
  };
}

/** The removal of each entry by its id; the list hides them meanwhile. */
export function removalsById(entries: readonly ListEntry[]) {
  return {
    requests: entries.map(({ id }) => ({ params: { id } })),
    names: entries.map(entryName),
    hides: entries.map(entryKey),
  };
}

/** Entries for their bar. @param others where the list has several pages */
export function entryList<T extends ListEntry>(
  rows: readonly T[],
  selection: SelectedRows,
  others?: { total: number; all(): Promise<readonly T[]> },
): Pick<SelectableList<T>, 'table' | 'total' | 'all'> {
  const table = { rows, keyOf: entryKey, nameOf: entryName, selection };
  return { table, total: others?.total ?? null, all: others?.all ?? (async () => rows) };
}
