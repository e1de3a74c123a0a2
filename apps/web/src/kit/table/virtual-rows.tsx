/** Virtualized table rows: spacer rows replace those outside the viewport. */
import { type ReactNode, type Ref, useCallback } from 'react';
import { AfterLeap } from './after-leap.tsx';
import table from './table.module.css';
import { useVirtualList } from './use-virtual-list.ts';

/** Attributes for the `tr` of each row. */
export interface RowAttributes {
  ref(row: HTMLTableRowElement | null): void;
  'data-index': number;
  'aria-rowindex': number;
}

interface VirtualRowsProps<T> {
  rows: readonly T[];
  keyOf(row: T): string;
  columns: number;
  height: number;
  children(row: T, place: RowAttributes & { key: string }): ReactNode;
}

export function VirtualRows<T>({ rows, keyOf, columns, height, children }: VirtualRowsProps<T>) {
  const { list, shown, leaps, total, measure } = useVirtualList<HTMLTableSectionElement>({
    count: rows.length,
    height,
    keyOf: useCallback(
      (index: number) => (rows[index] === undefined ? index : keyOf(rows[index])),
      [rows, keyOf],
    ),
  });
  return (
    <>
      <Gap ref={list} height={shown[0]?.start ?? 0} columns={columns} />
      <tbody>
        {shown.map(({ index, key }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const place = { ref: measure, 'data-index': index, 'aria-rowindex': index + 2 };
          const empty = (
            <tr {...place} style={{ height }}>
              <td colSpan={columns} />
            </tr>
          );
          return (
            <AfterLeap key={key} leaps={leaps} empty={empty}>
              {children(row, { ...place, key: String(key) })}
            </AfterLeap>
          );
        })}
      </tbody>
      <Gap height={total - (shown.at(-1)?.end ?? 0)} columns={columns} />
    </>
  );
}

interface GapProps {
  height: number;
  columns: number;
  ref?: Ref<HTMLTableSectionElement>;
}

function Gap({ height, columns, ref }: GapProps) {
  return (
    <tbody ref={ref} className={table.gap} aria-hidden="true">
      <tr>
        <td colSpan={columns} style={{ height }} />
      </tr>
    </tbody>
  );
}
