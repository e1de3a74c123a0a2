/** A function that stays the same, and calls the latest one that it was given. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** For handlers of memoised rows; not to be called while rendering. */
export function useSteady<A extends unknown[]>(latest: (...args: A) => void): (...args: A) => void {
  const kept = useRef(latest);
  useLayoutEffect(() => {
    kept.current = latest;
  });
  return useCallback((...args: A) => kept.current(...args), []);
}
