/** The filter and the order of the job list, kept in the URL. */
import {
  JOB_ORDERS,
  type JobOrder,
  type JobStatus,
  VERDICTS,
  type Verdict,
} from '@portcullis/domain';
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../../kit/form/time-range.ts';
import { useUrlState } from '../../kit/use-url-state.ts';

interface JobQuery {
  status?: JobStatus[];
  /** Jobs that the gate stopped, or all others. */
  blocked?: 'true' | 'false';
}

export const FILTERS = {
  all: {},
  running: {
    status: ['pull_queued', 'pulling', 'scan_queued', 'scanning', 'push_queued', 'pushing'],
  },
  review: { status: ['staged'], blocked: 'false' },
  blocked: { blocked: 'true' },
  pushed: { status: ['pushed'] },
  ended: { status: ['failed', 'cancelled'], blocked: 'false' },
} satisfies Record<string, JobQuery>;
export type FilterName = keyof typeof FILTERS;

export interface JobListFilter extends TimeRange {
  show: FilterName;
  q: string;
  verdict: Verdict | null;
  /** A username; empty for all accounts. */
  owner: string;
  sort: JobOrder;
}

export const NO_FILTER: Omit<JobListFilter, 'sort'> = {
  show: 'all',
  q: '',
  verdict: null,
  owner: '',
  ...ANY_TIME,
};

const NEWEST_FIRST: JobOrder = '-created_at';

export function readFilter(search: URLSearchParams): JobListFilter {
  const show = search.get('show');
  return {
    show: isFilter(show) ? show : 'all',
    q: search.get('q') ?? '',
    verdict: VERDICTS.find((each) => each === search.get('verdict')) ?? null,
    owner: search.get('owner') ?? '',
    sort: orderOf(search.get('sort')),
    ...timeRangeOf(search),
  };
}

export function orderOf(text: string | null): JobOrder {
  return JOB_ORDERS.find((each) => each === text) ?? NEWEST_FIRST;
}

function isFilter(text: string | null): text is FilterName {
  return text !== null && Object.hasOwn(FILTERS, text);
}

export function isFiltered(filter: JobListFilter): boolean {
  return Object.keys(parametersOf({ ...filter, sort: NEWEST_FIRST })).length > 0;
}

export const useJobFilter = () =>
  useUrlState({
    read: readFilter,
    write: (filter, change) => parametersOf({ ...filter, ...change }),
  });

/** The parameters of the address. */
export function parametersOf(filter: JobListFilter): Record<string, string> {
  const { show, q, verdict, owner, sort } = filter;
  return {
    ...(show !== 'all' && { show }),
    ...(q !== '' && { q }),
    ...(verdict !== null && { verdict }),
    ...(owner !== '' && { owner }),
    ...timeRangeParameters(filter),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}

/** The conditions of the API, which lists and bulk operations share. */
export function conditionsOf(filter: JobListFilter, now: number) {
  const { show, q, verdict, owner } = filter;
  const shown: JobQuery = FILTERS[show];
  return {
    ...shown,
    ...(q !== '' && { q }),
    ...(verdict !== null && { verdict: [verdict] }),
    ...(owner !== '' && { owner }),
    ...queryOfRange(filter, now),
  };
}
