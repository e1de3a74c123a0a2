/** The filter of the queue of review requests. */
import { choice, optional, place, view, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

export const REVIEW_VIEWS = ['waiting', 'open', 'decided', 'mine', 'all'] as const;
export type ReviewListView = (typeof REVIEW_VIEWS)[number];

const CONDITIONS = {
  waiting: { to_decide: 'true' },
  open: { state: 'open' },
  decided: { decided: 'true' },
  mine: { mine: 'true' },
  all: {},
} as const;

const conditionsOf = (chosen: ReviewListView): (typeof CONDITIONS)[ReviewListView] =>
  CONDITIONS[chosen];

/** @param first the view of the account where the address has none */
export function reviewFilter(first: ReviewListView) {
  return defineFilter({
    view: view({
      ...choice('show', REVIEW_VIEWS, conditionsOf),
      query: (chosen: ReviewListView | null) => conditionsOf(chosen ?? first),
    }),
    q: words(),
    folder: optional('folder'),
    open: place('open'),
  });
}
