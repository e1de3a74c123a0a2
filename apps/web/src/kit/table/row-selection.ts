/** Which rows of a list are selected: some of the loaded ones, or all that match its filter. */

export interface RowSelection {
  ids: ReadonlySet<string>;
  /** Also rows that are not loaded. */
  everything: boolean;
  /** The row that a range begins at. */
  anchor: string | null;
}

export const NOTHING: RowSelection = { ids: new Set(), everything: false, anchor: null };

/** A click on a row; a range extends to it from the row before, which it takes the state of. */
export function toggled(
  selection: RowSelection,
  id: string,
  loaded: readonly string[],
  range: boolean,
): RowSelection {
  const ids = new Set(selected(selection, loaded));
  const adds = range && selection.anchor !== null ? ids.has(selection.anchor) : !ids.has(id);
  for (const each of range ? between(selection.anchor, id, loaded) : [id]) {
    if (adds) ids.add(each);
    else ids.delete(each);
  }
  return { ids, everything: false, anchor: id };
}

/** A click on the heading: all loaded rows, or none where all are selected. */
export function allToggled(selection: RowSelection, loaded: readonly string[]): RowSelection {
  const isFull = selected(selection, loaded).length === loaded.length;
  return isFull ? NOTHING : { ids: new Set(loaded), everything: false, anchor: null };
}

/** The loaded rows that are selected: a row that has left the list is not. */
export function selected({ ids, everything }: RowSelection, loaded: readonly string[]): string[] {
  if (ids.size === 0 && !everything) return [];
  return everything ? [...loaded] : loaded.filter((id) => ids.has(id));
}

function between(anchor: string | null, id: string, loaded: readonly string[]): readonly string[] {
  const from = anchor === null ? -1 : loaded.indexOf(anchor);
  const to = loaded.indexOf(id);
  if (from < 0 || to < 0) return [id];
  return loaded.slice(Math.min(from, to), Math.max(from, to) + 1);
}
