/** Notifications by the day of their event, in the time zone of the browser. */

interface NotificationDay<T> {
  /** Null: an earlier day. */
  name: 'today' | 'yesterday' | null;
  /** A time of that day. */
  at: string;
  items: T[];
}

/** The items are ordered by time, and stay so. */
export function byDay<T extends { created_at: string }>(
  items: readonly T[],
  now: Date,
): NotificationDay<T>[] {
  const days: NotificationDay<T>[] = [];
  for (const item of items) {
    const at = item.created_at;
    const last = days.at(-1);
    if (last && daysBefore(new Date(last.at), new Date(at)) === 0) last.items.push(item);
    else days.push({ name: NAMES[daysBefore(now, new Date(at))] ?? null, at, items: [item] });
  }
  return days;
}

const NAMES = ['today', 'yesterday'] as const;
const DAY_MS = 86_400_000;

/** How many days the second time is before the first one. */
function daysBefore(first: Date, second: Date): number {
  return (calendarDay(first) - calendarDay(second)) / DAY_MS;
}

/** In UTC, where each day has 24 hours. */
function calendarDay(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
}
