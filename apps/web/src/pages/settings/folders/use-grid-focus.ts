/** The one tab stop of the matrix, which the arrow keys move. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type GridPosition, step } from './rights.ts';

export function useGridFocus(last: GridPosition) {
  const grid = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<GridPosition>({ row: 0, column: 0 });
  const here = { row: Math.min(at.row, last.row), column: Math.min(at.column, last.column) };

  /** Where a key leads to. An earlier render, in which it may be out of the document, keeps it. */
  const going = useRef<GridPosition>(null);
  useEffect(() => {
    if (going.current === null) return;
    const place = `${going.current.row}:${going.current.column}`;
    const target = grid.current?.querySelector<HTMLElement>(`[data-place="${place}"]`);
    if (!target) return;
    going.current = null;
    target.focus();
  });

  function onKeyDown(event: KeyboardEvent): void {
    const to = step(event.key, here, last);
    if (!to || !(event.target instanceof HTMLElement) || event.target.dataset.right === undefined)
      return;
    event.preventDefault();
    going.current = to;
    setAt(to);
  }

  return { grid, here, setHere: setAt, onKeyDown };
}
