/** The lines of the list; only those in view are in the document, however many there are. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { FindingLine } from './finding-line.tsx';
import type { FindingRow } from './finding-list.ts';
import classes from './findings.module.css';
import type { Grouping } from './findings-filter.tsx';

const LINE_HEIGHT = 58;

export function FindingRows({ rows, grouping }: { rows: FindingRow[]; grouping: Grouping }) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  // What stands above may grow, so it is measured after each change.
  useLayoutEffect(() => {
    const now = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    if (Math.abs(now - top) > 1) setTop(now);
  });
  const lines = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    scrollMargin: top,
  });

  return (
    <ul ref={list} className={classes.rows} style={{ height: lines.getTotalSize() }}>
      {lines.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={lines.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <FindingLine
                row={row}
                grouping={grouping}
                open={open.has(row.key)}
                onToggle={() => setOpen(toggled(open, row.key))}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}
