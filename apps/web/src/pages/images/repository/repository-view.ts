/** What the page of a repository shows, kept in the URL: the open tag, the filter and the order. */
import { TAG_ORDERS, type TagOrder, type TagStandingGroup } from '@portcullis/domain';
import { TAG_STANDINGS } from '@portcullis/domain/tag-standing';
import { useUrlState } from '../../../kit/use-url-state.ts';

export interface RepositoryView {
  /** Null: no tag is open. */
  tag: string | null;
  q: string;
  /** Null: tags of any standing. */
  standing: TagStandingGroup | null;
  sort: TagOrder;
}

/** Which tags are listed. */
export type TagConditions = Pick<RepositoryView, 'q' | 'standing'>;

/** The conditions of the API. */
export function tagQuery({ q, standing }: TagConditions) {
  return { q, ...(standing !== null && { standing }) };
}

const NEWEST_FIRST: TagOrder = '-updated_at';

export function tagOrderOf(text: string | null): TagOrder {
  return TAG_ORDERS.find((each) => each === text) ?? NEWEST_FIRST;
}

export function parametersOf({ tag, q, standing, sort }: RepositoryView): Record<string, string> {
  return {
    ...(tag !== null && { tag }),
    ...(q !== '' && { q }),
    ...(standing !== null && { standing }),
    ...(sort !== NEWEST_FIRST && { sort }),
  };
}

export function viewOf(search: URLSearchParams): RepositoryView {
  return {
    tag: search.get('tag'),
    q: search.get('q') ?? '',
    standing: TAG_STANDINGS.find((each) => each === search.get('standing')) ?? null,
    sort: tagOrderOf(search.get('sort')),
  };
}

/** Back closes a tag, and keeps the filter and the order. */
export const useRepositoryView = () =>
  useUrlState<RepositoryView>({
    read: viewOf,
    write: (before, change) => parametersOf({ ...before, ...change }),
    remembers: ({ tag }) => typeof tag === 'string',
  });
