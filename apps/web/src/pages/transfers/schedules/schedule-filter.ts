import { SCHEDULE_ORDERS } from '@portcullis/domain';
import { order, place, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

/** The tab that shows the list is in the address as well. */
export const SCHEDULE_FILTER = defineFilter({
  tab: place('show'),
  q: words(),
  sort: order(SCHEDULE_ORDERS, '-created_at'),
});
