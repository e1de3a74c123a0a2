/** The virtualized list of findings. */
import { useCallback, useState } from 'react';
import { useVirtualList } from '../../../kit/virtual/use-virtual-list.ts';
import { FindingItem } from './finding-item.tsx';
import type { FindingRow } from './finding-list.ts';
import classes from './findings.module.css';
import type { Grouping } from './findings-filter.tsx';

const LINE_HEIGHT = 58;

interface FindingRowsProps {
  rows: readonly FindingRow[];
  grouping: Grouping;
  onLayer(digest: string): void;
}

export function FindingRows({ rows, grouping, onLayer }: FindingRowsProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => setOpen((now) => toggled(now, key)), []);
  const { list, shown, total, measure } = useVirtualList<HTMLUListElement>({
    count: rows.length,
    height: LINE_HEIGHT,
    keyOf: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
  });

  return (
    <ul ref={list} className={classes.rows} style={{ height: total }}>
      {shown.map(({ index, key, start }) => {
        const row = rows[index];
        return (
          row && (
            <li
              key={key}
              ref={measure}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <FindingItem
                row={row}
                grouping={grouping}
                open={open.has(row.key)}
                onLayer={onLayer}
                onToggle={toggle}
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
