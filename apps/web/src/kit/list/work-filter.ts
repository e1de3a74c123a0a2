/** The filter that lists of jobs and of transfers share, kept in the URL. */
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../form/time-range.ts';

export interface WorkFilter extends TimeRange {
  q: string;
  /** A username; empty for all accounts. */
  owner: string;
}

export const ANY_WORK: WorkFilter = { q: '', owner: '', ...ANY_TIME };

export function workFilterOf(search: URLSearchParams): WorkFilter {
  return {
    q: search.get('q') ?? '',
    owner: search.get('owner') ?? '',
    ...timeRangeOf(search),
  };
}

/** The parameters of the address. */
export function workParameters({ q, owner, ...time }: WorkFilter): Record<string, string> {
  return {
    ...(q !== '' && { q }),
    ...(owner !== '' && { owner }),
    ...timeRangeParameters(time),
  };
}

/** The conditions of the API. */
export function workConditions({ q, owner, ...time }: WorkFilter, now: number) {
  return {
    ...(q !== '' && { q }),
    ...(owner !== '' && { owner }),
    ...queryOfRange(time, now),
  };
}
