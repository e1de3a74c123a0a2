/** The filter of the job list, kept in the URL. */
import type { JobStatus } from '@portcullis/domain';
import { useUrlState } from '../../kit/use-url-state.ts';

interface JobQuery {
  status?: readonly JobStatus[];
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
} as const satisfies Record<string, JobQuery>;
export type FilterName = keyof typeof FILTERS;

export interface JobListFilter {
  show: FilterName;
  q: string;
}

export function readFilter(search: URLSearchParams): JobListFilter {
  const show = search.get('show');
  return { show: isFilter(show) ? show : 'all', q: search.get('q') ?? '' };
}

export function isFilter(text: string | null): text is FilterName {
  return text !== null && Object.hasOwn(FILTERS, text);
}

export const useJobFilter = () =>
  useUrlState({
    read: readFilter,
    write: (filter, change) => queryOf({ ...filter, ...change }),
  });

function queryOf({ show, q }: JobListFilter): Record<string, string> {
  return { ...(show !== 'all' && { show }), ...(q !== '' && { q }) };
}
