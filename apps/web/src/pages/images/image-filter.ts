/** The state of the images page, kept in the URL. */
import { useUrlState } from '../../kit/use-url-state.ts';

export interface ImageFilter {
  q: string;
  page: number;
  /** The expanded paths of the tree. */
  open: string[];
}

/** Keeps the URL short enough for servers. */
const MOST_OPEN = 40;

export function readImageFilter(search: URLSearchParams): ImageFilter {
  const page = Number(search.get('page'));
  return {
    q: search.get('q') ?? '',
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
    open: [...new Set(search.getAll('open'))].slice(-MOST_OPEN),
  };
}

/** Another search starts on its first page. */
export function changedFilter(
  filter: ImageFilter,
  change: Partial<ImageFilter>,
): Record<string, string | string[]> {
  const { q, page, open } = { ...filter, page: 1, ...change };
  return {
    ...(q !== '' && { q }),
    ...(page > 1 && { page: String(page) }),
    open: open.slice(-MOST_OPEN),
  };
}

export function toggled(open: string[], path: string): string[] {
  return open.includes(path) ? open.filter((each) => each !== path) : [...open, path];
}

export const useImageFilter = () =>
  useUrlState({
    read: readImageFilter,
    write: changedFilter,
    remembers: ({ page }) => page !== undefined,
  });
