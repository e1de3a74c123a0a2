/** The filter and the order of the list of waivers, kept in the URL. */
import { WAIVER_ORDERS, type WaiverOrder } from '@portcullis/domain';
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../../kit/form/time-range.ts';
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

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const ENDING_WITHIN = { any: null, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
export const ENDINGS = ['any', 'week', 'month'] as const;

/** The range of time is that of the request. */
export interface WaiverListFilter extends TimeRange {
  /** Null: the first view of the account. */
  view: WaiverListView | null;
  q: string;
  /** Null: of all folders. */
  folder: string | null;
  /** A username; empty for all requesters. */
  requester: string;
  /** Within which time it ends. */
  ends: (typeof ENDINGS)[number];
  sort: WaiverOrder;
  /** The id of the waiver that is shown. */
  open: string | null;
}

const NEWEST_FIRST: WaiverOrder = '-created_at';

/** All but the view and the order. */
export const ANY_WAIVER = {
  ...{ q: '', folder: null, requester: '', ends: 'any', ...ANY_TIME },
} satisfies Partial<WaiverListFilter>;

export interface WaiverQuestion extends Omit<WaiverListFilter, 'view' | 'open'> {
  view: WaiverListView;
}

/** Whether it leaves out more than the view does. */
export function isNarrowed(filter: Omit<WaiverListFilter, 'view' | 'open'>): boolean {
  const parameters = parametersOf({ ...filter, view: null, open: null, sort: NEWEST_FIRST });
  return Object.keys(parameters).length > 0;
}

export function filterOf(parameters: URLSearchParams): WaiverListFilter {
  return {
    view: WAIVER_VIEWS.find((each) => each === parameters.get('state')) ?? null,
    q: parameters.get('q') ?? '',
    folder: parameters.get('folder'),
    requester: parameters.get('requester') ?? '',
    ends: ENDINGS.find((each) => each === parameters.get('ends')) ?? 'any',
    ...timeRangeOf(parameters),
    sort: sortOf(parameters.get('sort')),
    open: parameters.get('open'),
  };
}

export function sortOf(text: string | null): WaiverOrder {
  return WAIVER_ORDERS.find((each) => each === text) ?? NEWEST_FIRST;
}

export function parametersOf(filter: WaiverListFilter): Record<string, string> {
  const { view, q, folder, requester, ends, sort, open, ...time } = filter;
  return {
    ...(view !== null && { state: view }),
    ...(q !== '' && { q }),
    ...(folder !== null && { folder }),
    ...(requester !== '' && { requester }),
    ...timeRangeParameters(time),
    ...(ends !== 'any' && { ends }),
    ...(sort !== NEWEST_FIRST && { sort }),
    ...(open !== null && { open }),
  };
}

/** The conditions of the API. Times are rounded to the minute, so that the query key is stable. */
export function queryOf(question: WaiverQuestion, now: number) {
  const { view, q, folder, requester, ends, sort, ...time } = question;
  const words = {
    q: q.trim(),
    ...(folder !== null && { folder }),
    ...(requester.trim() !== '' && { requested_by: requester.trim() }),
    ...queryOfRange(time, now),
    ...endsWithin(ENDING_WITHIN[ends], now),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
  if (view === 'all') return words;
  return view === 'review' ? { ...words, reviewable: 'true' as const } : { ...words, state: view };
}

function endsWithin(span: number | null, now: number) {
  if (span === null) return {};
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const [ends_after, ends_before] = [minute, minute + span].map((at) => new Date(at).toISOString());
  return { ends_after, ends_before };
}

export const useWaiverListFilter = () =>
  useUrlState({
    read: filterOf,
    write: (filter, change) => parametersOf({ ...filter, ...change }),
    remembers: ({ open }) => open !== undefined,
  });
