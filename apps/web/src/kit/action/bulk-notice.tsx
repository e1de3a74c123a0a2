/** Says which rows a bulk operation left as they are, and why. */
import { notifications } from '@mantine/notifications';
import { useFormat, useMessages, useWords } from '../../i18n/messages.ts';
import type { BulkReason, BulkResult } from './bulk-result.ts';

/** Nothing where all was done: the list shows it. */
export function useBulkNotice(): (result: BulkResult) => void {
  const [t, format] = useWords('bulk');
  const { codes } = useMessages('fault');
  return ({ done, refused, failed, reasons }) => {
    if (refused + failed === 0) return;
    notifications.show({
      title: t.partly(done, refused + failed),
      color: 'red',
      autoClose: 12_000,
      role: 'alert',
      message: (
        <ul>
          {reasons.map(({ code, count, text }) => (
            <li key={code}>{text ?? `${count}${format.colon}${codes[code] ?? code}`}</li>
          ))}
        </ul>
      ),
    });
  };
}

/**
 * Says which rows a bulk operation left as they are by their names, and why. Of one reason; the
 * others are counted.
 */
const MOST_NAMED = 8;

/** Rows without names are counted. */
export function useNamedNotice(): (result: BulkResult) => void {
  const report = useBulkNotice();
  const format = useFormat();
  const { codes } = useMessages('fault');

  function named(reason: BulkReason): BulkReason {
    const { code, count, names = [] } = reason;
    if (names.length === 0) return reason;
    const rows =
      names.length <= MOST_NAMED
        ? format.list(names)
        : `${names.slice(0, MOST_NAMED).join(', ')} … (${format.number(count)})`;
    return { ...reason, text: `${rows}${format.colon}${codes[code] ?? code}` };
  }

  return (result) => report({ ...result, reasons: result.reasons.map(named) });
}
