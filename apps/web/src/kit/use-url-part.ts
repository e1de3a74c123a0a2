/** State of a part of a page in the URL's query: the parameters of the other parts stay. */
import { useUrlState } from './use-url-state.ts';

type Query = Record<string, string[]>;

const PARAMETERS = {
  read: (search: URLSearchParams): Query =>
    Object.fromEntries([...search.keys()].map((name) => [name, search.getAll(name)])),
  write: (query: Query, change: Partial<Query>) => ({ ...query, ...change }) as Query,
};

/** Reads a parameter, empty where it is absent, and changes some: an empty one is removed. */
export function useUrlPart() {
  const [query, change] = useUrlState(PARAMETERS);
  const read = (name: string): string => query[name]?.[0] ?? '';
  const set = (changed: Record<string, string>): void =>
    change(
      Object.fromEntries(
        Object.entries(changed).map(([name, value]) => [name, value === '' ? [] : [value]]),
      ),
    );
  return [read, set] as const;
}
