/** The selection of a list's rows. Another filter of the list starts with none. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { allToggled, NOTHING, type RowSelection, selected, toggled } from './row-selection.ts';
import type { SelectedRows } from './selected-rows.ts';

/**
 * @param rows the loaded ones that may be selected; `rows` and `keyOf` are the same until they
 * change
 */
export function useRowSelection<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  filter: string,
): SelectedRows {
  const [kept, setKept] = useState({ filter, selection: NOTHING });
  const selection = kept.filter === filter ? kept.selection : NOTHING;
  const loaded = useMemo(() => rows.map(keyOf), [rows, keyOf]);
  // Rows are rendered again where their handlers change.
  const latest = useRef({ filter, loaded });
  useLayoutEffect(() => {
    latest.current = { filter, loaded };
  });
  const acts = useMemo(() => {
    const change = (next: (now: RowSelection, loaded: readonly string[]) => RowSelection) => {
      const { filter: wanted, loaded: ids } = latest.current;
      setKept((now) => ({
        filter: wanted,
        selection: next(now.filter === wanted ? now.selection : NOTHING, ids),
      }));
    };
    return {
      toggle: (id: string, range: boolean) => change((now, all) => toggled(now, id, all, range)),
      toggleAll: () => change(allToggled),
      selectEverything: () => change(() => ({ ...NOTHING, everything: true })),
      clear: () => change(() => NOTHING),
    };
  }, []);
  const ids = useMemo(() => selected(selection, loaded), [selection, loaded]);
  const { everything } = selection;
  return {
    ...acts,
    ids,
    loaded: loaded.length,
    everything,
    has: (id) => everything || selection.ids.has(id),
  };
}
