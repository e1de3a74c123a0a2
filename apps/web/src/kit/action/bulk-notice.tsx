/** Says which rows a bulk operation left as they are, and why. */
import { notifications } from '@mantine/notifications';
import { useMessages, useWords } from '../../i18n/messages.ts';
import type { BulkResult } from './bulk-result.ts';

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
