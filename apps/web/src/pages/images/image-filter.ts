/** The filter and the order of repositories, and the expanded paths of the tree. */
import { REPOSITORY_ORDERS } from '@portcullis/domain';
import { choice, order, page, several, text, view } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

/** A search is shown as a list. */
export const VIEWS = ['tree', 'list'] as const;

export const IMAGE_FILTER = defineFilter({
  q: text('q', 'search'),
  /** Of the built-in registry. */
  view: view(choice('view', VIEWS, () => ({}), 'tree')),
  sort: order(REPOSITORY_ORDERS, 'name'),
  page: page(),
  open: several('open', 40),
});
