/** The column of when each row was used last, sorted as `last_used_at`. */
import type { Messages } from '../../i18n/messages.ts';
import type { Column } from '../table/columns.ts';
import table from '../table/table.module.css';
import { RelativeTime } from '../text/relative-time.tsx';

interface Used {
  last_used_at: string | null;
}

export function usedColumn<T extends Used>(t: Messages['tokenScope']): Column<T> {
  return {
    id: 'used',
    title: t.used,
    sort: 'last_used_at',
    descendsFirst: true,
    label: t.used,
    className: table.quiet,
    cell: ({ last_used_at: at }) => (at === null ? t.never : <RelativeTime at={at} />),
  };
}
