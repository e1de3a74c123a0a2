/** Says which rows a bulk operation left as they are by their names, and why. */
import { useFormat, useMessages } from '../../i18n/messages.ts';
import { useBulkNotice } from './bulk-notice.tsx';
import type { BulkReason, BulkResult } from './bulk-result.ts';

/** Of one reason; the others are counted. */
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
