/** A range of time as a filter of a list, kept in the URL. */

const HOUR_MS = 3_600_000;
const SPANS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
} as const;

export const RANGES = ['hour', 'day', 'week', 'month', 'all', 'own'] as const;

export interface TimeRange {
  range: (typeof RANGES)[number];
  /** Values of `<input type="datetime-local">`; only for the range `own`. */
  since: string;
  until: string;
}

export const ANY_TIME: TimeRange = { range: 'all', since: '', until: '' };

export function timeRangeOf(parameters: URLSearchParams): TimeRange {
  return {
    range: RANGES.find((each) => each === parameters.get('range')) ?? 'all',
    since: parameters.get('since') ?? '',
    until: parameters.get('until') ?? '',
  };
}

export function timeRangeParameters({ range, since, until }: TimeRange): Record<string, string> {
  if (range === 'all') return {};
  if (range !== 'own') return { range };
  return { range, ...(since !== '' && { since }), ...(until !== '' && { until }) };
}

/** Rounded to the minute, so that the query key stays stable. */
export function queryOfRange(
  { range, since, until }: TimeRange,
  now: number,
): { since?: string | undefined; until?: string | undefined } {
  if (range === 'all') return {};
  if (range === 'own') return { since: moment(since), until: moment(until) };
  const minute = Math.floor(now / 60_000) * 60_000;
  return { since: new Date(minute - SPANS[range]).toISOString() };
}

function moment(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
