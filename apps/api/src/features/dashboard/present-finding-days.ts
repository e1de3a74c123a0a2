import type { FindingDay } from '@portcullis/store';
import { everyDay } from './days.ts';

const NO_SCANS = { images: 0, counts: { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 } };

export function presentFindingDays(days: readonly FindingDay[], asOf: Date) {
  return everyDay(days, asOf, NO_SCANS).map((day) => ({ ...day, bySeverity: day.counts }));
}
