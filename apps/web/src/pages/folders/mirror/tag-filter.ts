/** The filter and the order of the tags of a mirror. */
import { MIRROR_TAG_ORDERS, MIRROR_TAG_STATES } from '@portcullis/domain/mirror';
import { choice, order, page, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

export const MIRROR_TAG_FILTER = defineFilter({
  state: choice('state', MIRROR_TAG_STATES, (state) => ({ state })),
  q: words(),
  sort: order(MIRROR_TAG_ORDERS, 'urgency'),
  page: page(),
});
