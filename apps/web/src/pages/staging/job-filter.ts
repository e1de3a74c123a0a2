/** The filter and the order of the list of jobs. */
import { JOB_ORDERS, type JobStatus, VERDICTS } from '@portcullis/domain';
import { choice, order, state, text, timeRange, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

interface JobQuery {
  status?: JobStatus[];
  /** Jobs that the gate stopped, or all others. */
  blocked?: 'true' | 'false';
}

const CONDITIONS = {
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
type Shown = keyof typeof CONDITIONS;
export const SHOWN = Object.keys(CONDITIONS) as Shown[];

export const JOB_FILTER = defineFilter({
  show: state<Shown, JobQuery>('show', CONDITIONS, 'all'),
  verdict: choice('verdict', VERDICTS, (verdict) => ({ verdict: [verdict] })),
  q: words(),
  owner: text('owner', 'owner'),
  requested: timeRange(),
  sort: order(JOB_ORDERS, '-created_at'),
});
