import { type ReactNode, useDeferredValue } from 'react';

interface AfterLeapProps {
  /** Whether the list leapt to lines of which none was shown before. */
  leaps: boolean;
  /** Takes the place of the line meanwhile. */
  empty: ReactNode;
  children: ReactNode;
}

/**
 * A line of a virtual list. Where the list leaps, as in a fast scroll, its new lines are empty at
 * first and rendered in slices of time: each step may replace all of them.
 */
export function AfterLeap({ leaps, empty, children }: AfterLeapProps) {
  return useDeferredValue(true, !leaps) ? children : empty;
}
