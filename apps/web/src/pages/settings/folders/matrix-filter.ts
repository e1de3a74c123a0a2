/** Which folders and groups the matrix of permissions shows, kept in the URL. */
import { optional, text } from '../../../kit/list/codecs.ts';
import { defineFilter } from '../../../kit/list/filter.ts';
import { useUrlState } from '../../../kit/use-url-state.ts';

const MATRIX_FILTER = defineFilter({
  /** Parts of the names of folders and of groups. */
  folders: text('q', 'folders'),
  groups: text('groups', 'groups'),
  /** The id of the group that a narrow page shows; null: the first one. */
  group: optional('group'),
});

export const useMatrixFilter = () => useUrlState(MATRIX_FILTER);
