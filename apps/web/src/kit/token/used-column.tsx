/** The column of when each row was used last, sorted as `last_used_at`. */
import type { Messages } from '../../i18n/messages.ts';
import { timeColumn } from '../table/columns.tsx';
import table from '../table/table.module.css';

export const usedColumn = (t: Messages['tokenScope']) =>
  timeColumn('last_used_at', t.used, { label: t.used, className: table.quiet, none: t.never });
