/** The addresses of folder pages, and filter and order of a folder's images in the URL. */
import {
  FOLDER_IMAGE_ORDERS,
  type FolderImageOrder,
  STANDING_GROUPS,
  type StandingGroup,
} from '@portcullis/domain';
import { useUrlState } from '../../kit/use-url-state.ts';

export interface FolderView {
  /** Null: all images. */
  standing: StandingGroup | null;
  q: string;
  sort: FolderImageOrder;
  page: number;
}

const URGENT_FIRST: FolderImageOrder = 'urgency';

export const EVERYTHING: FolderView = { standing: null, q: '', sort: URGENT_FIRST, page: 1 };
const LAST_PAGE = 10_000;

export function folderPath(name: string): string {
  return `/folders/${encodeURIComponent(name)}`;
}

export function viewOf(search: URLSearchParams): FolderView {
  const page = Number(search.get('page'));
  return {
    standing: STANDING_GROUPS.find((group) => group === search.get('standing')) ?? null,
    q: search.get('q') ?? '',
    sort: imageOrderOf(search.get('sort')),
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
  };
}

export function imageOrderOf(text: string | null): FolderImageOrder {
  return FOLDER_IMAGE_ORDERS.find((each) => each === text) ?? URGENT_FIRST;
}

/** Another filter or order starts on its first page. */
export function changedView(view: FolderView, change: Partial<FolderView>): Record<string, string> {
  const { standing, q, sort, page } = { ...view, page: 1, ...change };
  return {
    ...(standing !== null && { standing }),
    ...(q !== '' && { q }),
    ...(sort !== URGENT_FIRST && { sort }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** The query of the API without its page. */
export function queryOf({ standing, q, sort }: Pick<FolderView, 'standing' | 'q' | 'sort'>) {
  const words = q.trim();
  return { sort, ...(standing !== null && { standing }), ...(words !== '' && { q: words }) };
}

export const useFolderView = () =>
  useUrlState({
    read: viewOf,
    write: changedView,
    remembers: ({ page, standing }) => page !== undefined || standing !== undefined,
  });
