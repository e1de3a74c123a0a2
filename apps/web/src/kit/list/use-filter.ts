/** The filter of a list in the address, and the query of the API that it leads to. */
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useUrlState } from '../use-url-state.ts';
import type { ListFilter } from './filter.ts';

/** While an account types. */
const PAUSE_MS = 250;

export function useFilter<S extends object, Q extends object>(filter: ListFilter<S, Q>) {
  const [state, change] = useUrlState(filter);
  const asked = useAsked(filter, state);
  const question = filter.question(asked);
  // A time before now is counted from the choice of the filter: another query has other pages.
  const conditions = useMemo(
    () => filter.query(filter.read(new URLSearchParams(question)), Date.now()),
    [filter, question],
  );
  const sort = Reflect.get(state, 'sort');
  const onSort = (order: string) => change({ sort: order } as object as Partial<S>);
  return {
    conditions,
    sorting: typeof sort === 'string' ? { order: sort, onChange: onSort } : undefined,
    shared: {
      state,
      change,
      saved: filter.saved(state),
      isFiltered: filter.isFiltered(state) || filter.isFiltered(asked),
      clear: () => change(filter.none),
    },
  };
}

/** The filter as it was when the account stopped typing. */
function useAsked<S extends object>({ typed }: ListFilter<S, object>, state: S): S {
  const text = JSON.stringify(typed(state));
  const [waited] = useDebouncedValue(text, PAUSE_MS);
  return waited === text ? state : { ...state, ...JSON.parse(waited) };
}
