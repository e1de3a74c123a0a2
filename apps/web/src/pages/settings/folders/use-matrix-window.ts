/**
 * The rows and columns of the matrix that are in the document: those in view, and those of the
 * switch with the tab stop, so that the focus is not lost.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { withKept } from '../../../kit/virtual/use-virtual-list.ts';
import { withGaps } from './with-gaps.ts';

/** As in matrix.module.css. */
const HEAD = { width: 260, height: 37 };
/** Four switches. */
const COLUMN_WIDTH = 150;
/** Estimated; each row is measured. */
const ROW_HEIGHT = 58;
/** Until the window is measured. */
const INITIAL = { width: 1200, height: 700 };

interface Cell {
  row: number;
  column: number;
}

/** @param rowIds and `columnIds`: the window is of folders and groups, which filters change */
export function useMatrixWindow(
  rowIds: readonly string[],
  columnIds: readonly string[],
  kept: Cell,
) {
  const scroller = useRef<HTMLDivElement>(null);
  const shared = { getScrollElement: () => scroller.current, initialRect: INITIAL };
  const rows = useVirtualizer({
    ...shared,
    count: rowIds.length,
    getItemKey: (index) => rowIds[index] ?? index,
    estimateSize: () => ROW_HEIGHT,
    paddingStart: HEAD.height,
    overscan: 4,
    rangeExtractor: (range) => withKept(range, kept.row),
  });
  const columns = useVirtualizer({
    ...shared,
    horizontal: true,
    count: columnIds.length,
    getItemKey: (index) => columnIds[index] ?? index,
    estimateSize: () => COLUMN_WIDTH,
    paddingStart: HEAD.width,
    overscan: 2,
    rangeExtractor: (range) => withKept(range, kept.column),
  });
  return {
    scroller,
    rows: withGaps(rows.getVirtualItems(), HEAD.height, rows.getTotalSize()),
    columns: withGaps(columns.getVirtualItems(), HEAD.width, columns.getTotalSize()),
    width: columns.getTotalSize(),
    measureRow: rows.measureElement,
  };
}
