/** The end that a reviewer sets, as a local day of `<input type="date">`. */
import { dayOf, endOfDay } from '../job/review/review-form.ts';

/** The day that is proposed: the soonest that was asked for, or that an approval set. */
export function proposedDay(asked: string, approvals: readonly { until: string | null }[]): string {
  const ends = [asked, ...approvals.flatMap(({ until }) => until ?? [])];
  return dayOf(Math.min(...ends.map((end) => Date.parse(end))));
}

/** Whether it is a whole day from today to the one that was asked for. */
export function isEnd(day: string, asked: string, now: number): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && day >= dayOf(now) && day <= dayOf(Date.parse(asked));
}

/** The end of a day that `isEnd`; null: as asked. */
export function soonerEnd(day: string, asked: string): string | null {
  return day === dayOf(Date.parse(asked)) ? null : endOfDay(day);
}
