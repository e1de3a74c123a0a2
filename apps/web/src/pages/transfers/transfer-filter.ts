/** The filter and the order of the list of transfers, kept in the URL. */
import { TRANSFER_SORTS, type TransferSort, type TransferStatus } from '@portcullis/domain';
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../../kit/form/time-range.ts';
import { useUrlState } from '../../kit/use-url-state.ts';

interface TransferQuery {
  status?: TransferStatus[];
  /** Transfers of which only the gate stopped something, or all others. */
  blocked?: 'true' | 'false';
}

const UNFINISHED: TransferStatus[] = ['partly_failed', 'failed'];

export const STATES = {
  all: {},
  running: { status: ['running'] },
  done: { status: ['done'] },
  blocked: { status: UNFINISHED, blocked: 'true' },
  failed: { status: UNFINISHED, blocked: 'false' },
  cancelled: { status: ['cancelled'] },
} satisfies Record<string, TransferQuery>;
export type StateName = keyof typeof STATES;

export interface TransferListFilter extends TimeRange {
  state: StateName;
  q: string;
  /** A username; empty for all accounts. */
  owner: string;
  sort: TransferSort;
}

export const NO_FILTER: Omit<TransferListFilter, 'sort'> = {
  state: 'all',
  q: '',
  owner: '',
  ...ANY_TIME,
};

const NEWEST_FIRST: TransferSort = '-created_at';

export function readFilter(search: URLSearchParams): TransferListFilter {
  const state = search.get('state');
  return {
    state: isState(state) ? state : 'all',
    q: search.get('q') ?? '',
    owner: search.get('owner') ?? '',
    sort: sortOf(search.get('sort')),
    ...timeRangeOf(search),
  };
}

export function sortOf(text: string | null): TransferSort {
  return TRANSFER_SORTS.find((each) => each === text) ?? NEWEST_FIRST;
}

function isState(text: string | null): text is StateName {
  return text !== null && Object.hasOwn(STATES, text);
}

export function isFiltered(filter: TransferListFilter): boolean {
  return Object.keys(parametersOf({ ...filter, sort: NEWEST_FIRST })).length > 0;
}

export const useTransferFilter = () =>
  useUrlState({
    read: readFilter,
    write: (filter, change) => parametersOf({ ...filter, ...change }),
  });

/** The parameters of the address. */
export function parametersOf(filter: TransferListFilter): Record<string, string> {
  const { state, q, owner, sort } = filter;
  return {
    ...(state !== 'all' && { state }),
    ...(q !== '' && { q }),
    ...(owner !== '' && { owner }),
    ...timeRangeParameters(filter),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}

/** The query of the API; without conditions and with the usual order it is empty. */
export function queryOf(filter: TransferListFilter, now: number) {
  const { state, q, owner, sort } = filter;
  const shown: TransferQuery = STATES[state];
  return {
    ...shown,
    ...(q !== '' && { q }),
    ...(owner !== '' && { owner }),
    ...queryOfRange(filter, now),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}
