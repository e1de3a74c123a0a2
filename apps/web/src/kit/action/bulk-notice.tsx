/** Says which rows a bulk operation left as they are, and why. */
import { notifications } from '@mantine/notifications';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import type { BulkReason, BulkResult } from './bulk-result.ts';

/** Of one reason; the others are counted. */
const MOST_NAMED = 8;

/** Nothing where all was done: the list shows it. */
export function useBulkNotice(): (result: BulkResult) => void {
  const t = useMessages('bulk');
  const format = useFormat();
  const { codes } = useMessages('fault');
  const rowsOf = ({ count, names = [] }: BulkReason) => {
    if (names.length === 0) return count;
    if (names.length <= MOST_NAMED) return format.list(names);
    return `${names.slice(0, MOST_NAMED).join(', ')} … (${format.number(count)})`;
  };
  return ({ done, refused, failed, reasons }) => {
    if (refused + failed === 0) return;
    notifications.show({
      title: t.partly(done, refused + failed),
      color: 'red',
      autoClose: 12_000,
      role: 'alert',
      message: (
        <ul>
          {reasons.map((reason) => (
            <li key={reason.code}>
              {reason.text ??
                `${rowsOf(reason)}${format.colon}${codes[reason.code] ?? reason.code}`}
            </li>
          ))}
        </ul>
      ),
    });
  };
}
