/** The state of the images page, kept in the URL. */
import { REPOSITORY_ORDERS, type RepositoryOrder } from '@portcullis/domain';
import { createSearchParams } from 'react-router';
import { useUrlState } from '../../kit/use-url-state.ts';

export interface ImageFilter {
  q: string;
  /** Of the built-in registry. */
  view: 'tree' | 'list';
  sort: RepositoryOrder;
  page: number;
  /** The expanded paths of the tree. */
  open: string[];
}

const BY_NAME: RepositoryOrder = 'name';

/** Keeps the URL short enough for servers. */
const MOST_OPEN = 40;

export function readImageFilter(search: URLSearchParams): ImageFilter {
  const page = Number(search.get('page'));
  return {
    q: search.get('q') ?? '',
    view: search.get('view') === 'list' ? 'list' : 'tree',
    sort: repositoryOrderOf(search.get('sort')),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
    open: [...new Set(search.getAll('open'))].slice(-MOST_OPEN),
  };
}

export function repositoryOrderOf(text: string | null): RepositoryOrder {
  return REPOSITORY_ORDERS.find((each) => each === text) ?? BY_NAME;
}

/** Another search or order starts on its first page. */
export function changedFilter(
  filter: ImageFilter,
  change: Partial<ImageFilter>,
): Record<string, string | string[]> {
  const { q, view, sort, page, open } = { ...filter, page: 1, ...change };
  return {
    ...(q !== '' && { q }),
    ...(view !== 'tree' && { view }),
    ...(sort !== BY_NAME && { sort }),
    ...(page > 1 && { page: String(page) }),
    open: open.slice(-MOST_OPEN),
  };
}

/** What a saved filter has: neither the page nor the expanded paths. */
export function savedQuery(filter: ImageFilter): string {
  return createSearchParams(changedFilter(filter, { open: [] })).toString();
}

export const useImageFilter = () =>
  useUrlState({
    read: readImageFilter,
    write: changedFilter,
    remembers: ({ page }) => page !== undefined,
  });
