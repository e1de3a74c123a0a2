/** The filter and the order of the list of waivers. */
import { WAIVER_ORDERS } from '@portcullis/domain';
import {
  choice,
  optional,
  order,
  place,
  text,
  timeRange,
  view,
  words,
} from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

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

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const ENDING_WITHIN = { week: 7 * DAY_MS, month: 30 * DAY_MS };
export const ENDINGS = ['any', 'week', 'month'] as const;

/** @param first the view of the account where the address has none */
export function waiverFilter(first: WaiverListView) {
  return defineFilter({
    view: view({
      ...choice('state', WAIVER_VIEWS, conditionsOf),
      query: (chosen: WaiverListView | null) => conditionsOf(chosen ?? first),
    }),
    q: words(),
    folder: optional('folder'),
    requester: text('requester', 'requested_by'),
    requested: timeRange(),
    ends: choice('ends', ENDINGS, endsWithin, 'any'),
    sort: order(WAIVER_ORDERS, '-created_at'),
    open: place('open'),
  });
}

function conditionsOf(chosen: WaiverListView) {
  if (chosen === 'all') return {};
  return chosen === 'review' ? { reviewable: 'true' as const } : { state: chosen };
}

/** Rounded to the minute, as other times. */
function endsWithin(ending: (typeof ENDINGS)[number], now: number) {
  if (ending === 'any') return {};
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const iso = (at: number) => new Date(at).toISOString();
  return { ends_after: iso(minute), ends_before: iso(minute + ENDING_WITHIN[ending]) };
}
