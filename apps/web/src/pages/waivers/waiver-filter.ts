/** The filter of the list of waivers, kept in the URL. */
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
  /** The id of the waiver that is shown. */
  open: string | null;
}

export interface WaiverQuestion extends Pick<WaiverListFilter, 'q' | 'folder'> {
  view: WaiverListView;
}

export function filterOf(parameters: URLSearchParams): WaiverListFilter {
  return {
    view: WAIVER_VIEWS.find((each) => each === parameters.get('state')) ?? null,
    q: parameters.get('q') ?? '',
    folder: parameters.get('folder'),
    open: parameters.get('open'),
  };
}

export function parametersOf({ view, q, folder, open }: WaiverListFilter): Record<string, string> {
  return {
    ...(view !== null && { state: view }),
    ...(q !== '' && { q }),
    ...(folder !== null && { folder }),
    ...(open !== null && { open }),
  };
}

export function queryOf({ view, q, folder }: WaiverQuestion) {
  const words = { q: q.trim(), ...(folder !== null && { folder }) };
  if (view === 'all') return words;
  return view === 'review' ? { ...words, reviewable: 'true' as const } : { ...words, state: view };
}

export const useWaiverListFilter = () =>
  useUrlState({
    read: filterOf,
    write: (filter, change) => parametersOf({ ...filter, ...change }),
    remembers: ({ open }) => open !== undefined,
  });
