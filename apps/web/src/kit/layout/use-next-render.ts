import { startTransition, useEffect, useState } from 'react';

/**
 * False in the first render of a component, and true in a concurrent render that follows it. For
 * parts that would make the first one a long task. A deferred value is no substitute: inside of
 * another deferred render React does not defer it.
 */
export function useNextRender(): boolean {
  const [isNext, setIsNext] = useState(false);
  useEffect(() => startTransition(() => setIsNext(true)), []);
  return isNext;
}
