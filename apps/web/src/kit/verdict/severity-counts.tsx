/** Counts per severity, with a full sentence for screen readers. */

import type { Severity, SeverityCounts } from '@portcullis/domain';
import { useWords } from '../../i18n/messages.ts';
import classes from './severity-counts.module.css';

const ORDER: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'];

interface SeverityCountsViewProps {
  counts: SeverityCounts;
  /** Where there is room: "1 low" instead of "L 1". */
  inWords?: boolean;
}

export function SeverityCountsView({ counts, inWords = false }: SeverityCountsViewProps) {
  const [t, format] = useWords('verdict');
  const present = ORDER.filter((severity) => counts[severity] > 0);
  if (present.length === 0) return null;
  const sentence = format.list(present.map((each) => t.counted[each](counts[each])));
  return (
    <span className={classes.counts} role="img" aria-label={sentence} title={sentence}>
      {present.map((severity) => (
        <span key={severity} className={classes.count} data-severity={severity}>
          {inWords
            ? t.counted[severity](counts[severity])
            : `${t.severity[severity].slice(0, 1)} ${format.compact(counts[severity])}`}
        </span>
      ))}
    </span>
  );
}
