/** The filter and the order of the list of transfers. */
import { TRANSFER_SORTS, type TransferStatus } from '@portcullis/domain';
import { order, state, text, timeRange, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

interface TransferQuery {
  status?: TransferStatus[];
  /** Transfers of which only the gate stopped something, or all others. */
  blocked?: 'true' | 'false';
}

const UNFINISHED: TransferStatus[] = ['partly_failed', 'failed'];

const CONDITIONS = {
  all: {},
  running: { status: ['running'] },
  done: { status: ['done'] },
  blocked: { status: UNFINISHED, blocked: 'true' },
  failed: { status: UNFINISHED, blocked: 'false' },
  cancelled: { status: ['cancelled'] },
} satisfies Record<string, TransferQuery>;
type StateName = keyof typeof CONDITIONS;
export const STATES = Object.keys(CONDITIONS) as StateName[];

export const TRANSFER_FILTER = defineFilter({
  state: state<StateName, TransferQuery>('state', CONDITIONS, 'all'),
  q: words(),
  owner: text('owner', 'owner'),
  requested: timeRange(),
  sort: order(TRANSFER_SORTS, '-created_at'),
});
