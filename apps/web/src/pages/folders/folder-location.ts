/** The addresses of folder pages, and the filter of a folder's images in the URL. */
import { STANDING_GROUPS, type StandingGroup } from '@portcullis/domain';
import { useUrlState } from '../../kit/use-url-state.ts';

export interface FolderView {
  /** Null: all images. */
  standing: StandingGroup | null;
  q: string;
  page: number;
}

export const EVERYTHING: FolderView = { standing: null, q: '', page: 1 };
const LAST_PAGE = 10_000;

export function folderPath(name: string): string {
  return `/folders/${encodeURIComponent(name)}`;
}

export function viewOf(search: URLSearchParams): FolderView {
  const page = Number(search.get('page'));
  return {
    standing: STANDING_GROUPS.find((group) => group === search.get('standing')) ?? null,
    q: search.get('q') ?? '',
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
  };
}

/** Another filter starts on its first page. */
export function changedView(view: FolderView, change: Partial<FolderView>): Record<string, string> {
  const { standing, q, page } = { ...view, page: 1, ...change };
  return {
    ...(standing !== null && { standing }),
    ...(q !== '' && { q }),
    ...(page > 1 && { page: String(page) }),
  };
}

export const useFolderView = () =>
  useUrlState({
    read: viewOf,
    write: changedView,
    remembers: ({ page, standing }) => page !== undefined || standing !== undefined,
  });
