/** The selection of a list's rows. Another filter of the list starts with none. */
import { useState } from 'react';
import { allToggled, NOTHING, type RowSelection, selected, toggled } from './row-selection.ts';
import type { SelectedRows } from './selected-rows.ts';

export function useRowSelection(loaded: readonly string[], filter: string): SelectedRows {
  const [kept, setKept] = useState({ filter, selection: NOTHING });
  const selection = kept.filter === filter ? kept.selection : NOTHING;
  const change = (next: (now: RowSelection) => RowSelection) =>
    setKept((now) => ({
      filter,
      selection: next(now.filter === filter ? now.selection : NOTHING),
    }));
  const ids = selected(selection, loaded);
  const chosen = new Set(ids);
  return {
    ids,
    everything: selection.everything,
    has: (id) => chosen.has(id),
    toggle: (id, range) => change((now) => toggled(now, id, loaded, range)),
    toggleAll: () => change((now) => allToggled(now, loaded)),
    selectEverything: () => change(() => ({ ...NOTHING, everything: true })),
    clear: () => change(() => NOTHING),
  };
}
