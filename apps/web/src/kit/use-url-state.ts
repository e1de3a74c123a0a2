/** State kept in the URL's query, so that a filtered view can be shared. */
import { useRef } from 'react';
import { createSearchParams, useNavigate, useSearchParams } from 'react-router';

type Query = Record<string, string | string[]>;

interface UrlState<State> {
  read(query: URLSearchParams): State;
  /** The whole query after a change. */
  write(state: State, change: Partial<State>): Query;
  /** Whether the change adds an entry to the browser's history. */
  remembers?(change: Partial<State>): boolean;
}

/** A change, or the change of the latest state. */
type Change<State> = Partial<State> | ((latest: State) => Partial<State>);

/**
 * A change applies to the query with pending changes. React Router renders a navigation later, so a
 * change based on the last rendered query would undo the one before it. For the same reason a value
 * that depends on the one before it is computed by a function.
 */
export function useUrlState<State>({ read, write, remembers = () => false }: UrlState<State>) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const pending = useRef<URLSearchParams>(undefined);
  async function change(changed: Change<State>): Promise<void> {
    const before = read(pending.current ?? new URLSearchParams(window.location.search));
    const part = typeof changed === 'function' ? changed(before) : changed;
    const next = createSearchParams(write(before, part));
    pending.current = next;
    await navigate({ search: next.toString() }, { replace: !remembers(part) });
    if (pending.current === next) pending.current = undefined;
  }
  return [read(search), (changed: Change<State>) => void change(changed)] as const;
}
