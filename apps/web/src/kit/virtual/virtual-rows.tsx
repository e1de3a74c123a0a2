/** Virtualized table rows: spacer rows replace those outside the viewport. */
import { type ReactNode, type Ref, useCallback } from 'react';
import table from '../table/table.module.css';
import { useInnerList, useVirtualList } from './use-virtual-list.ts';

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

/** In a page. */
export function VirtualRows<T>(props: VirtualRowsProps<T>) {
  return <Rows {...props} lines={useVirtualList<HTMLTableSectionElement>(useLines(props))} />;
}

/** In an element that scrolls, such as a drawer. */
export function InnerVirtualRows<T>(props: VirtualRowsProps<T>) {
  return <Rows {...props} lines={useInnerList<HTMLTableSectionElement>(useLines(props))} />;
}

function useLines<T>({ rows, keyOf, height }: VirtualRowsProps<T>) {
  const keyAt = useCallback(
    (index: number) => (rows[index] === undefined ? index : keyOf(rows[index])),
    [rows, keyOf],
  );
  return { count: rows.length, height, keyOf: keyAt };
}

interface RowsProps<T> extends VirtualRowsProps<T> {
  lines: ReturnType<typeof useVirtualList<HTMLTableSectionElement>>;
}

function Rows<T>({ rows, columns, children, lines }: RowsProps<T>) {
  const { list, shown, total, measure } = lines;
  return (
    <>
      <Gap ref={list} height={shown[0]?.start ?? 0} columns={columns} />
      <tbody>
        {shown.map(({ index, key }) => {
          const row = rows[index];
          const place = {
            key: String(key),
            ref: measure,
            'data-index': index,
            'aria-rowindex': index + 2,
          };
          return row === undefined ? null : children(row, place);
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
