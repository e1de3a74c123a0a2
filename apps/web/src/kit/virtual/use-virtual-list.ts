/** Virtualization: only the visible lines of a long list are in the document. */
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useRowsInTurn } from './rows-in-turn.ts';

/** Lines before and after the visible ones, which a scroll shows before new ones are mounted. */
const OVERSCAN = 6;

interface VirtualListOptions {
  count: number;
  /** The estimated height of a line; each is measured when shown. */
  height: number;
  keyOf(index: number): string | number;
  /** The line that always stays in the document, so that focus is not lost. */
  kept?: number;
}

/** Of a list that the window scrolls. */
export function useVirtualList<E extends HTMLElement>(options: VirtualListOptions) {
  const list = useRef<E>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(options.height);
  const lines = useWindowVirtualizer<HTMLElement>({
    ...useOptions(options, height),
    scrollMargin: top,
  });
  useUsualHeight(lines, setHeight);
  useSteadyTop(
    { top, setTop, isScrolling: lines.isScrolling },
    () => topOf(list.current) + window.scrollY,
  );
  return { list, ...useShown({ lines, list, top }, options) };
}

/** Of a list that an element around it scrolls, such as a drawer. */
export function useInnerList<E extends HTMLElement>(options: VirtualListOptions) {
  const list = useRef<E>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(options.height);
  const lines = useVirtualizer<HTMLElement, HTMLElement>({
    ...useOptions(options, height),
    getScrollElement: () => scrollerOf(list.current),
    scrollMargin: top,
  });
  useUsualHeight(lines, setHeight);
  useSteadyTop({ top, setTop, isScrolling: lines.isScrolling }, () => {
    const scroller = scrollerOf(list.current);
    return topOf(list.current) - topOf(scroller) + (scroller?.scrollTop ?? 0);
  });
  return { list, ...useShown({ lines, list, top }, options) };
}

function useOptions({ count, keyOf, kept = -1 }: VirtualListOptions, height: number) {
  // All positions are computed again where `getItemKey` is another function.
  const ofLines = useMemo(
    () => ({ estimateSize: () => height, getItemKey: (index: number) => keyOf(index) }),
    [height, keyOf],
  );
  return {
    count,
    ...ofLines,
    overscan: OVERSCAN,
    rangeExtractor: (range: Range) => withKept(range, kept),
  };
}

/** Lines that show which height is usual. */
const ENOUGH_LINES = 5;

/**
 * The height that most of the first lines have. With a good estimate the lines that are measured
 * while the list scrolls have the expected height, and no position changes.
 */
function useUsualHeight<S extends Element | Window, L extends HTMLElement>(
  { range, elementsCache, itemSizeCache }: Virtualizer<S, L>,
  setHeight: (height: number) => void,
): void {
  const isLearned = useRef(false);
  useLayoutEffect(() => {
    // Further down, another estimate would move what is visible.
    if (isLearned.current || range?.startIndex !== 0) return;
    const lines = [...elementsCache].filter(([, line]) => line.isConnected);
    if (lines.length < ENOUGH_LINES) return;
    isLearned.current = true;
    // The height of a line that has the present estimate is not stored, and would change with it.
    for (const [key, line] of lines) itemSizeCache.set(key, line.offsetHeight);
    setHeight(middleOf(lines.map(([key]) => itemSizeCache.get(key) ?? 0)));
  });
}

function middleOf(heights: readonly number[]): number {
  const sorted = heights.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

interface Top {
  top: number;
  setTop(top: number): void;
  isScrolling: boolean;
}

/**
 * Content above the list may grow, so its position is measured after each render, but not while it
 * is scrolled: that would lay out the page once more at each step.
 */
function useSteadyTop({ top, setTop, isScrolling }: Top, measure: () => number): void {
  useLayoutEffect(() => {
    if (isScrolling) return;
    const now = measure();
    if (Math.abs(now - top) > 1) setTop(now);
  });
}

const topOf = (element: Element | null) => element?.getBoundingClientRect().top ?? 0;

function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  for (let each = list?.parentElement ?? null; each !== null; each = each.parentElement)
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  return null;
}

interface Lines<S extends Element | Window, L extends Element> {
  lines: Virtualizer<S, L>;
  list: RefObject<HTMLElement | null>;
  top: number;
}

function useShown<S extends Element | Window, L extends Element>(
  { lines, list, top }: Lines<S, L>,
  { count, keyOf, kept }: VirtualListOptions,
) {
  const items = lines.getVirtualItems();
  const { startIndex: first, endIndex: last } = lines.range ?? { startIndex: 0, endIndex: -1 };
  const wanted = {
    ...{ first, last },
    from: Math.max(0, first - OVERSCAN),
    to: lines.range ? Math.min(count, last + 1 + OVERSCAN) : 0,
  };
  const span = useRowsInTurn(wanted, keyOf, () => void topOf(list.current), lines.isScrolling);
  const shown = items
    .filter(({ index }) => (index >= span.from && index < span.to) || index === kept)
    .map(({ index, key, start, end }) => ({
      index,
      key,
      start: start - top,
      end: end - top,
    }));
  return { shown, total: lines.getTotalSize(), measure: lines.measureElement };
}

export function withKept(range: Range, kept: number): number[] {
  const inView = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || inView.includes(kept)) return inView;
  return [...inView, kept].sort((a, b) => a - b);
}
