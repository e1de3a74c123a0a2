/**
 * One listener for each media query. Mantine's components listen for `prefers-reduced-motion`,
 * about eight of them in each row of a table. The browser would call them one by one, and React
 * would render once for each, which it stops as an endless loop if another update has to wait.
 */
type Listener = (event: MediaQueryListEvent) => void;

/** Call before the first render. */
export function shareMediaQueries(target: Pick<Window, 'matchMedia'>): void {
  const create = target.matchMedia.bind(target);
  const shared = new Map<string, MediaQueryList>();
  target.matchMedia = (query) => {
    const list = shared.get(query) ?? withOneListener(create(query));
    shared.set(query, list);
    return list;
  };
}

function withOneListener(list: MediaQueryList): MediaQueryList {
  const listeners = new Set<Listener>();
  list.addEventListener('change', (event) => {
    for (const listener of [...listeners]) listener(event);
  });
  return Object.assign(list, {
    addEventListener: (_: string, listener: Listener) => void listeners.add(listener),
    removeEventListener: (_: string, listener: Listener) => void listeners.delete(listener),
  });
}
