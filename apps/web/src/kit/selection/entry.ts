/** An entry of a list: a row with an id and a name. */
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
