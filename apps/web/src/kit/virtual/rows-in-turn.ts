/**
 * Mounts the rows of a virtualized list in batches: a list that leaps would render all visible rows
 * in one long task, during which a slow machine does not answer.
 */
import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';

/** Indices; `to` is exclusive. */
export interface Span {
  from: number;
  to: number;
}

interface Wanted extends Span {
  /** The visible ones; `last` is inclusive. */
  first: number;
  last: number;
}

/**
 * The rows to show now, without a gap: those in the document that are visible, and `most` others
 * after and then before them.
 */
export function spanOf(
  { from, to, first, last }: Wanted,
  isMounted: (index: number) => boolean,
  most: number,
): Span {
  let room = most;
  const fits = (index: number) => {
    if (isMounted(index)) return true;
    room -= 1;
    return room >= 0;
  };
  let start = first;
  while (start <= last && !isMounted(start)) start += 1;
  if (start > last) start = first;
  let end = start;
  while (end < to && fits(end)) end += 1;
  let begin = start;
  while (begin > from && fits(begin - 1)) begin -= 1;
  return { from: begin, to: end };
}

/** Of a batch, with the layout that measures its rows, without painting. */
const BATCH_MS = 20;
const LEAST_ROWS = 2;
/** Fewer rows say nothing about the time that one takes. */
const ENOUGH_ROWS = 2;
/** A batch may be lucky: the time of a row falls by no more than this at once. */
const MEMORY = 0.8;
/** Of a row, in the time that a new one takes. */
const COST_OF_REMOVAL = 0.3;
/** Of the last list; until rows were measured that of a slow machine. */
let usualRowMs = 5;

/**
 * @param keyOf the key of a row, which is the same as long as the row is shown
 * @param layOut lays the page out, which belongs to the time of new rows
 * @param isScrolling new rows wait for a separate task: that of a scroll also paints
 */
export function useRowsInTurn(
  wanted: Wanted,
  keyOf: (index: number) => string | number,
  layOut: () => void,
  isScrolling: boolean,
): Span {
  const mounted = useRef<ReadonlySet<string | number>>(new Set());
  const rowMs = useRef(usualRowMs);
  const turn = useTurn();
  const began = performance.now();
  const isMounted = (index: number) => mounted.current.has(keyOf(index));
  const leaving = mounted.current.size - indicesOf(wanted).filter(isMounted).length;
  const room = roomIn(turn.spentMs(), rowMs.current) - Math.ceil(leaving * COST_OF_REMOVAL);
  // What is measured may be rendered again within a task, which began with new rows.
  const least = turn.spentMs() === 0 ? LEAST_ROWS : 0;
  const most = isScrolling && !turn.isOwn() ? 0 : Math.max(least, room);
  const span = spanOf(wanted, isMounted, most);

  useLayoutEffect(() => {
    const indices = indicesOf(span);
    const fresh = indices.filter((index) => !isMounted(index)).length;
    if (fresh > 0) layOut();
    const took = performance.now() - began;
    if (fresh >= ENOUGH_ROWS) {
      // A render may be interrupted, for as long as the tab sleeps.
      const slowest = Math.max(took / fresh, rowMs.current * MEMORY);
      rowMs.current = Math.min(slowest, BATCH_MS);
      usualRowMs = rowMs.current;
    }
    mounted.current = new Set(indices.map(keyOf));
    turn.note(fresh > 0 ? took : 0, span.from <= wanted.from && span.to >= wanted.to);
  });
  return span;
}

function indicesOf({ from, to }: Span): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth);
}

/** Rows for what is left of a task. */
const roomIn = (spentMs: number, rowMs: number) => Math.floor((BATCH_MS - spentMs) / rowMs);

/** The time that a task has spent on new rows, and another render in the next one. */
function useTurn() {
  const spent = useRef(0);
  const isOwn = useRef(false);
  const isWhole = useRef(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, renderMore] = useReducer((count: number) => count + 1, 0);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  function nextTurn(): void {
    timer.current = undefined;
    spent.current = 0;
    if (isWhole.current) return;
    isOwn.current = true;
    renderMore();
  }

  return {
    spentMs: () => spent.current,
    isOwn: () => isOwn.current,
    note(ms: number, whole: boolean) {
      spent.current += ms;
      isWhole.current = whole;
      isOwn.current = false;
      if (spent.current > 0 || !whole) timer.current ??= setTimeout(nextTurn);
    },
  };
}
