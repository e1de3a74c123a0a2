/** The days that charts show: the last thirty in UTC, those without events included. */

const DAYS = 30;
export const DAY_MS = 86_400_000;

/** The start of the first day that is shown. */
export function firstDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - DAYS + 1) * DAY_MS);
}

/** Oldest first. */
export function everyDay<Figures>(
  days: readonly (Figures & { day: string })[],
  asOf: Date,
  nothing: Figures,
): (Figures & { day: string })[] {
  const known = new Map(days.map((each) => [each.day, each]));
  return Array.from({ length: DAYS }, (_, at) => {
    const day = new Date(asOf.getTime() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { ...nothing, day };
  });
}
