import type { Severity, SeverityCounts } from '@portcullis/domain';
import { useFormat, useMessages } from '../../i18n/messages.ts';

/** "2 critical and 1 high": the found ones of `severities`. */
export function useSeverityList(): (
  counts: SeverityCounts,
  severities: readonly Severity[],
) => string {
  const { counted } = useMessages('verdict');
  const format = useFormat();
  return (counts, severities) => {
    const present = severities.filter((each) => counts[each] > 0);
    return format.list(present.map((each) => counted[each](counts[each])));
  };
}
