import { SCHEDULE_ORDERS } from '@portcullis/domain';
import { order, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

export const SCHEDULE_FILTER = defineFilter({
  q: words(),
  sort: order(SCHEDULE_ORDERS, '-created_at'),
});
