import { RelativeTime } from '../text/relative-time.tsx';
import type { Column } from './columns.ts';
import table from './table.module.css';

/** A column of times, sorted by the name of its field. @param none where a row has no time */
export function timeColumn<K extends string>(
  field: K,
  title: string,
  { none, ...look }: Partial<Column<never>> & { none?: string } = {},
): Column<Record<K, string | null>> {
  return {
    title,
    sort: field,
    descendsFirst: true,
    className: `${table.quiet} ${table.nowrap}`,
    width: '130px',
    ...look,
    cell: ({ [field]: at }) => (at === null ? none : <RelativeTime at={at} />),
  };
}
