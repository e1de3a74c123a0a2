import { Fragment, type ReactNode } from 'react';
import { type RowAttributes, VirtualRows } from '../virtual/virtual-rows.tsx';

interface VirtualBodyProps {
  keys: readonly string[];
  columns: number;
  height: number;
  children(index: number, measure: RowAttributes['ref']): ReactNode;
}

const itself = (key: string) => key;

/** The rows of a long table that are visible. */
export default function VirtualBody({ keys, columns, height, children }: VirtualBodyProps) {
  return (
    <VirtualRows rows={keys} keyOf={itself} columns={columns} height={height}>
      {(key, { ref, 'data-index': index }) => <Fragment key={key}>{children(index, ref)}</Fragment>}
    </VirtualRows>
  );
}
