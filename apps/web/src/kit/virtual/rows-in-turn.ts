/**
 * Mounts the rows of a virtualized list in batches: a list that leaps would render all visible rows
 * in one long task, during which a slow machine does not answer.
 */
import { useLayoutEffect, useReducer, useRef } from 'react';

/** Indices; `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface Wanted extends Span {
  /** The first visible one. */
  first: number;
}

/**
 * The rows to show now, without a gap: those in the document, and `most` others, the visible ones
 * first.
 */
export function spanOf(
  { from, to, first }: Wanted,
  isMounted: (index: number) => boolean,
  most: number,
): Span {
  let room = most;
  const fits = (index: number) => {
    if (!isMounted(index)) room -= 1;
    return room >= 0;
  };
  let end = first;
  while (end < to && fits(end)) end += 1;
  let begin = first;
  while (begin > from && fits(begin - 1)) begin -= 1;
  return { from: begin, to: end };
}

/** Of a batch, without its layout and painting, which take about as long. */
const BATCH_MS = 20;
const LEAST_ROWS = 2;
/** Fewer rows say nothing about the time that one takes. */
const ENOUGH_ROWS = 3;
/** Assumed until rows were measured. */
const ROW_MS = 1;

/** @param keyOf the key of a row, which is the same as long as the row is shown */
export function useRowsInTurn(wanted: Wanted, keyOf: (index: number) => string | number): Span {
  const mounted = useRef<ReadonlySet<string | number>>(new Set());
  const rowMs = useRef(ROW_MS);
  const [, renderMore] = useReducer((count: number) => count + 1, 0);
  const began = performance.now();
  const isMounted = (index: number) => mounted.current.has(keyOf(index));
  const most = Math.max(LEAST_ROWS, Math.floor(BATCH_MS / rowMs.current));
  const span = spanOf(wanted, isMounted, most);

  useLayoutEffect(() => {
    const indices = Array.from({ length: span.to - span.from }, (_, nth) => span.from + nth);
    const fresh = indices.filter((index) => !isMounted(index)).length;
    if (fresh >= ENOUGH_ROWS) rowMs.current = (performance.now() - began) / fresh;
    mounted.current = new Set(indices.map(keyOf));
    if (span.from <= wanted.from && span.to >= wanted.to) return;
    const frame = requestAnimationFrame(renderMore);
    return () => cancelAnimationFrame(frame);
  });
  return span;
}
