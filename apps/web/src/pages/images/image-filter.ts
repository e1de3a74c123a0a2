/** What the list shows, kept in the address. */
import { useSearchParams } from 'react-router';

export interface ImageFilter {
  q: string;
  /** Null: all. */
  folder: string | null;
  page: number;
}

export function readImageFilter(search: URLSearchParams): ImageFilter {
  const page = Number(search.get('page'));
  return {
    q: search.get('q') ?? '',
    folder: search.get('folder'),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

/** Another question begins on its first page. */
export function changedFilter(filter: ImageFilter, change: Partial<ImageFilter>): Record<string, string> {
  const { q, folder, page } = { ...filter, page: 1, ...change };
  return {
    ...(q !== '' && { q }),
    ...(folder !== null && { folder }),
    ...(page > 1 && { page: String(page) }),
  };
}

export function useImageFilter(): [ImageFilter, (change: Partial<ImageFilter>) => void] {
  const [search, setSearch] = useSearchParams();
  const filter = readImageFilter(search);
  return [filter, (change) => setSearch(changedFilter(filter, change), { replace: change.q !== undefined })];
}
