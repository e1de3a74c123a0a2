/** The end that a reviewer sets. */
import { endOfDay } from '../job/review/review-form.ts';

/**
 * The end of that local day where it is sooner than what was asked for; null: as asked.
 *
 * @param day as in `<input type="date">`
 */
export function soonerEnd(day: string, asked: string): string | null {
  if (day === '') return null;
  const end = endOfDay(day);
  return Date.parse(end) < Date.parse(asked) ? end : null;
}
