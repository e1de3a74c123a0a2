/** The filter and the order of the list of transfers, kept in the URL. */
import { TRANSFER_SORTS, type TransferSort, type TransferStatus } from '@portcullis/domain';
import {
  ANY_WORK,
  type WorkFilter,
  workConditions,
  workFilterOf,
  workParameters,
} from '../../kit/list/work-filter.ts';
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

export interface TransferListFilter extends WorkFilter {
  state: StateName;
  sort: TransferSort;
}

export const NO_FILTER: Omit<TransferListFilter, 'sort'> = {
  state: 'all',
  ...ANY_WORK,
};

const NEWEST_FIRST: TransferSort = '-created_at';

export function readFilter(search: URLSearchParams): TransferListFilter {
  const state = search.get('state');
  return {
    state: isState(state) ? state : 'all',
    sort: sortOf(search.get('sort')),
    ...workFilterOf(search),
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
  const { state, sort } = filter;
  return {
    ...(state !== 'all' && { state }),
    ...workParameters(filter),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}

/** The query of the API; without conditions and with the usual order it is empty. */
export function queryOf(filter: TransferListFilter, now: number) {
  const { state, sort } = filter;
  const shown: TransferQuery = STATES[state];
  return {
    ...shown,
    ...workConditions(filter, now),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}
