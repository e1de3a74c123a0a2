import { expect, it } from 'vitest';
import { shareMediaQueries } from './shared-media-queries.ts';

const REDUCED = '(prefers-reduced-motion: reduce)';

/** A window whose lists of media queries count their listeners. */
function counted() {
  const lists: EventTarget[] = [];
  const listening: string[] = [];
  const target = {
    matchMedia(query: string) {
      const list = new (class extends EventTarget {
        override addEventListener(...given: Parameters<EventTarget['addEventListener']>) {
          listening.push(query);
          super.addEventListener(...given);
        }
      })();
      lists.push(list);
      return list as MediaQueryList;
    },
  };
  return {
    target,
    listening,
    change: () => lists.map((list) => list.dispatchEvent(new Event('change'))),
  };
}

it('listens once for each query, however many components do', () => {
  const { target, listening, change } = counted();
  shareMediaQueries(target);
  const called: number[] = [];
  for (const component of [1, 2, 3])
    target.matchMedia(REDUCED).addEventListener('change', () => called.push(component));
  target.matchMedia('(max-width: 30em)').addEventListener('change', () => called.push(4));
  expect(listening).toEqual([REDUCED, '(max-width: 30em)']);
  change();
  expect(called).toEqual([1, 2, 3, 4]);
});

it('calls no listener that was removed, also during the event', () => {
  const { target, change } = counted();
  shareMediaQueries(target);
  const list = target.matchMedia(REDUCED);
  let calls = 0;
  const listener = () => {
    calls += 1;
    list.removeEventListener('change', listener);
  };
  list.addEventListener('change', listener);
  change();
  change();
  expect(calls).toBe(1);
});
