/**
 * Named filters of a list, as queries of its address. They are kept in the browser for each
 * account; another browser has its own.
 */

export interface SavedFilter {
  name: string;
  /** Without `?`. */
  query: string;
}

const MOST_FILTERS = 20;

export function readFilters(storage: Pick<Storage, 'getItem'>, key: string): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isFilter).slice(0, MOST_FILTERS) : [];
  } catch {
    return [];
  }
}

/** A filter with the name of another one replaces it. */
export function withFilter(filters: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  const others = filters.filter(({ name }) => name !== added.name);
  return [...others, added].slice(-MOST_FILTERS);
}

/** The same filters in any order are one query. */
export function isSameQuery(a: string, b: string): boolean {
  return sorted(a) === sorted(b);
}

function sorted(query: string): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}

function isFilter(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  return (
    typeof Reflect.get(value, 'name') === 'string' &&
    typeof Reflect.get(value, 'query') === 'string'
  );
}
