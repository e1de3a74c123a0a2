/** The one tab stop of the matrix, which the arrow keys move. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type GridPosition, step } from './rights.ts';

export function useGridFocus(last: GridPosition) {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<GridPosition>({ row: 0, column: 0 });
  const here = { row: Math.min(at.row, last.row), column: Math.min(at.column, last.column) };

  // The switch may be in the document only after this render.
  const going = useRef(false);
  useEffect(() => {
    if (!going.current) return;
    going.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-place="${here.row}:${here.column}"]`)?.focus();
  });

  function onKeyDown(event: KeyboardEvent): void {
    const to = step(event.key, here, last);
    if (!to || !(event.target instanceof HTMLElement) || event.target.dataset.right === undefined)
      return;
    event.preventDefault();
    going.current = true;
    setAt(to);
  }

  return { grid, here, setHere: setAt, onKeyDown };
}
