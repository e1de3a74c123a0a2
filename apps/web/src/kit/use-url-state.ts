/** State kept in the query of the page's address, so that a filtered view can be sent to a colleague. */
import { useRef } from 'react';
import { createSearchParams, useNavigate, useSearchParams } from 'react-router';

type Query = Record<string, string | string[]>;

interface UrlState<State> {
  read(query: URLSearchParams): State;
  /** The whole query of a changed state. */
  write(state: State, change: Partial<State>): Query;
  /** Whether the browser's back button leads to the state before this change. */
  remembers?(change: Partial<State>): boolean;
}

/**
 * A change applies to the address as it will be when earlier changes are in it. React-router renders a navigation later,
 * so a change that started from the last rendered query would undo one made just before it.
 */
export function useUrlState<State>({ read, write, remembers = () => false }: UrlState<State>) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const pending = useRef<URLSearchParams>(undefined);
  async function change(part: Partial<State>): Promise<void> {
    const before = read(pending.current ?? new URLSearchParams(window.location.search));
    const next = createSearchParams(write(before, part));
    pending.current = next;
    await navigate({ search: next.toString() }, { replace: !remembers(part) });
    if (pending.current === next) pending.current = undefined;
  }
  return [read(search), (part: Partial<State>) => void change(part)] as const;
}
