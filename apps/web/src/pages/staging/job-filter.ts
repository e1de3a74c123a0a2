/** The filter and the order of the job list, kept in the URL. */
import {
  JOB_ORDERS,
  type JobOrder,
  type JobStatus,
  VERDICTS,
  type Verdict,
} from '@portcullis/domain';
import {
  ANY_WORK,
  type WorkFilter,
  workConditions,
  workFilterOf,
  workParameters,
} from '../../kit/list/work-filter.ts';
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
  failed: { status: ['failed'], blocked: 'false' },
  cancelled: { status: ['cancelled'] },
} satisfies Record<string, JobQuery>;
export type FilterName = keyof typeof FILTERS;

export interface JobListFilter extends WorkFilter {
  show: FilterName;
  verdict: Verdict | null;
  sort: JobOrder;
}

export const NO_FILTER: Omit<JobListFilter, 'sort'> = {
  show: 'all',
  verdict: null,
  ...ANY_WORK,
};

const NEWEST_FIRST: JobOrder = '-created_at';

export function readFilter(search: URLSearchParams): JobListFilter {
  const show = search.get('show');
  return {
    show: isFilter(show) ? show : 'all',
    verdict: VERDICTS.find((each) => each === search.get('verdict')) ?? null,
    sort: orderOf(search.get('sort')),
    ...workFilterOf(search),
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
  const { show, verdict, sort } = filter;
  return {
    ...(show !== 'all' && { show }),
    ...(verdict !== null && { verdict }),
    ...workParameters(filter),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}

/** The conditions of the API, which lists and bulk operations share. */
export function conditionsOf(filter: JobListFilter, now: number) {
  const { show, verdict } = filter;
  const shown: JobQuery = FILTERS[show];
  return {
    ...shown,
    ...(verdict !== null && { verdict: [verdict] }),
    ...workConditions(filter, now),
  };
}
