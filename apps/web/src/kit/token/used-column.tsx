/** The column of when each row was used last, sorted as `last_used_at`. */
import type { Messages } from '../../i18n/messages.ts';
import table from '../table/table.module.css';
import { timeColumn } from '../table/time-column.tsx';

export const usedColumn = (t: Messages['tokenScope']) =>
  timeColumn('last_used_at', t.used, { label: t.used, className: table.quiet, none: t.never });
