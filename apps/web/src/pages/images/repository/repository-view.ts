/** What the page of a repository shows, kept in the URL: the open tag, the filter and the order. */
import { TAG_ORDERS, type TagOrder } from '@portcullis/domain';
import { useUrlState } from '../../../kit/use-url-state.ts';

export interface RepositoryView {
  /** Null: no tag is open. */
  tag: string | null;
  q: string;
  sort: TagOrder;
}

const NEWEST_FIRST: TagOrder = '-updated_at';

export function tagOrderOf(text: string | null): TagOrder {
  return TAG_ORDERS.find((each) => each === text) ?? NEWEST_FIRST;
}

/** Back closes a tag, and keeps the filter and the order. */
export const useRepositoryView = () =>
  useUrlState<RepositoryView>({
    read: (search) => ({
      tag: search.get('tag'),
      q: search.get('q') ?? '',
      sort: tagOrderOf(search.get('sort')),
    }),
    write(before, change) {
      const { tag, q, sort } = { ...before, ...change };
      return {
        ...(tag !== null && { tag }),
        ...(q !== '' && { q }),
        ...(sort !== NEWEST_FIRST && { sort }),
      };
    },
    remembers: ({ tag }) => typeof tag === 'string',
  });
