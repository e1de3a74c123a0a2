/** The filter and the order of the images of a folder. */
import { FOLDER_IMAGE_ORDERS, STANDING_GROUPS } from '@portcullis/domain';
import { choice, order, page, words } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';

export const FOLDER_FILTER = defineFilter({
  standing: {
    ...choice('standing', STANDING_GROUPS, (standing) => ({ standing })),
    remembers: () => true,
  },
  q: words(),
  sort: order(FOLDER_IMAGE_ORDERS, 'urgency'),
  page: page(),
});
