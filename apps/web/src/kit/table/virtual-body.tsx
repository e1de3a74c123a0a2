import { Fragment, type ReactNode } from 'react';
import { type RowAttributes, VirtualRows } from './virtual-rows.tsx';

interface VirtualBodyProps {
  rows: { key: string; show(place: RowAttributes): ReactNode }[];
  columns: number;
  height: number;
}

/** The rows of a long table that are visible. */
export default function VirtualBody({ rows, columns, height }: VirtualBodyProps) {
  return (
    <VirtualRows rows={rows} keyOf={({ key }) => key} columns={columns} height={height}>
      {({ show }, { key, ...place }) => <Fragment key={key}>{show(place)}</Fragment>}
    </VirtualRows>
  );
}
