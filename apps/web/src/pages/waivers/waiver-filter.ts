/** The filter and the order of the list of waivers, kept in the URL. */
import { WAIVER_ORDERS, type WaiverOrder } from '@portcullis/domain';
import { useUrlState } from '../../kit/use-url-state.ts';

export const WAIVER_VIEWS = [
  'review',
  'all',
  'requested',
  'approved',
  'expired',
  'rejected',
  'revoked',
] as const;
type WaiverListView = (typeof WAIVER_VIEWS)[number];

export interface WaiverListFilter {
  /** Null: the first view of the account. */
  view: WaiverListView | null;
  q: string;
  /** Null: of all folders. */
  folder: string | null;
  sort: WaiverOrder;
  /** The id of the waiver that is shown. */
  open: string | null;
}

const NEWEST_FIRST: WaiverOrder = '-created_at';

export interface WaiverQuestion extends Pick<WaiverListFilter, 'q' | 'folder' | 'sort'> {
  view: WaiverListView;
}

export function filterOf(parameters: URLSearchParams): WaiverListFilter {
  return {
    view: WAIVER_VIEWS.find((each) => each === parameters.get('state')) ?? null,
    q: parameters.get('q') ?? '',
    folder: parameters.get('folder'),
    sort: sortOf(parameters.get('sort')),
    open: parameters.get('open'),
  };
}

export function sortOf(text: string | null): WaiverOrder {
  return WAIVER_ORDERS.find((each) => each === text) ?? NEWEST_FIRST;
}

export function parametersOf(filter: WaiverListFilter): Record<string, string> {
  const { view, q, folder, sort, open } = filter;
  return {
    ...(view !== null && { state: view }),
    ...(q !== '' && { q }),
    ...(folder !== null && { folder }),
    ...(sort !== NEWEST_FIRST && { sort }),
    ...(open !== null && { open }),
  };
}

export function queryOf({ view, q, folder, sort }: WaiverQuestion) {
  const words = {
    q: q.trim(),
    ...(folder !== null && { folder }),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
  if (view === 'all') return words;
  return view === 'review' ? { ...words, reviewable: 'true' as const } : { ...words, state: view };
}

export const useWaiverListFilter = () =>
  useUrlState({
    read: filterOf,
    write: (filter, change) => parametersOf({ ...filter, ...change }),
    remembers: ({ open }) => open !== undefined,
  });
