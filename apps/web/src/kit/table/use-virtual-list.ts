/** Window virtualization: only the visible lines of a long list are in the document. */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

/** Lines before and after the visible ones: more of them make each jump of a scroll slower. */
const OVERSCAN = 4;

interface VirtualListOptions {
  count: number;
  /** The estimated height of a line; each is measured when shown. */
  height: number;
  keyOf(index: number): string | number;
  /** The line that always stays in the document, so that focus is not lost. */
  kept?: number;
}

export function useVirtualList<E extends HTMLElement>({
  count,
  height,
  keyOf,
  kept = -1,
}: VirtualListOptions) {
  const list = useRef<E>(null);
  const [top, setTop] = useState(0);
  const lines = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: (range) => withKept(range, kept),
  });
  const { isScrolling } = lines;
  // Content above the list may grow, so its position is measured after each render, but not while
  // it is scrolled: that would lay out the page once more at each step.
  useLayoutEffect(() => {
    if (isScrolling) return;
    const now = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const items = lines.getVirtualItems();
  const leaps = useLeaps(items[0]?.index ?? 0, items.at(-1)?.index ?? 0);
  const shown = items.map(({ index, key, start, end }) => ({
    index,
    key,
    start: start - top,
    end: end - top,
  }));
  return { list, shown, leaps, total: lines.getTotalSize(), measure: lines.measureElement };
}

/** Whether none of the lines was shown before. */
function useLeaps(first: number, last: number): boolean {
  const before = useRef({ first, last });
  useLayoutEffect(() => {
    before.current = { first, last };
  }, [first, last]);
  return first > before.current.last || last < before.current.first;
}

export function withKept(range: Range, kept: number): number[] {
  const inView = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || inView.includes(kept)) return inView;
  return [...inView, kept].sort((a, b) => a - b);
}
