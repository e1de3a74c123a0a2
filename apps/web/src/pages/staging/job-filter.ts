/** What the list shows, kept in the address: a filtered list can be sent to a colleague. */
import type { JobStatus } from '@portcullis/domain';
import { useSearchParams } from 'react-router';

export const FILTERS = {
  all: [],
  running: ['pull_queued', 'pulling', 'scan_queued', 'scanning', 'push_queued', 'pushing'],
  review: ['staged'],
  pushed: ['pushed'],
  ended: ['failed', 'cancelled'],
} as const satisfies Record<string, readonly JobStatus[]>;
export type FilterName = keyof typeof FILTERS;

export interface JobFilter {
  show: FilterName;
  q: string;
}

export function readFilter(search: URLSearchParams): JobFilter {
  const show = search.get('show');
  return { show: isFilter(show) ? show : 'all', q: search.get('q') ?? '' };
}

export function isFilter(text: string | null): text is FilterName {
  return text !== null && Object.hasOwn(FILTERS, text);
}

export function useJobFilter(): [JobFilter, (change: Partial<JobFilter>) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = readFilter(search);
  function set(change: Partial<JobFilter>): void {
    const { show, q } = { ...filter, ...change };
    const next = { ...(show !== 'all' && { show }), ...(q !== '' && { q }) };
    setSearch(next, { replace: true });
  }
  return [filter, set];
}
