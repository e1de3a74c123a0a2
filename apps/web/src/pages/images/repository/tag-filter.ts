/** What the page of a repository shows: the open tag, and the filter and the order of the tags. */
import { TAG_ORDERS } from '@portcullis/domain';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { choice, order, place, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

export const TAG_FILTER = defineFilter({
  tag: place('tag'),
  q: words(),
  standing: choice('standing', TAG_STANDINGS, (standing) => ({ standing })),
  sort: order(TAG_ORDERS, '-updated_at'),
});
