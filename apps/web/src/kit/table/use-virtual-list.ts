/** Of a long list only the lines in view are in the document, however many there are; the window scrolls. */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';

interface VirtualListOptions {
  count: number;
  /** About that of one line: each is measured when it is shown. */
  height: number;
  keyOf(index: number): string | number;
  /** The line that stays in the document wherever the window is: the focus must not get lost. */
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
  // What stands above may grow, so it is measured after each change.
  useLayoutEffect(() => {
    const now = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const lines = useWindowVirtualizer({
    count,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: 10,
    scrollMargin: top,
    rangeExtractor: (range) => withKept(range, kept),
  });
  const shown = lines.getVirtualItems().map(({ index, key, start, end }) => ({
    index,
    key,
    start: start - top,
    end: end - top,
  }));
  return { list, shown, total: lines.getTotalSize(), measure: lines.measureElement };
}

function withKept(range: Range, kept: number): number[] {
  const inView = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || inView.includes(kept)) return inView;
  return [...inView, kept].sort((a, b) => a - b);
}
