import { Fragment, type ReactNode } from 'react';
import { InnerVirtualRows, type RowAttributes, VirtualRows } from '../virtual/virtual-rows.tsx';

interface VirtualBodyProps {
  keys: readonly string[];
  columns: number;
  height: number;
  inner: boolean | undefined;
  children(index: number, measure: RowAttributes['ref']): ReactNode;
}

const itself = (key: string) => key;

/** The rows of a long table that are visible. */
export default function VirtualBody({ keys, inner, children, ...size }: VirtualBodyProps) {
  const Rows = inner ? InnerVirtualRows : VirtualRows;
  return (
    <Rows rows={keys} keyOf={itself} {...size}>
      {(key, { ref, 'data-index': index }) => <Fragment key={key}>{children(index, ref)}</Fragment>}
    </Rows>
  );
}
