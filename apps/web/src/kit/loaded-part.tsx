/**
 * Parts whose code is loaded apart, in place of `React.lazy`: React holds back what follows a
 * fallback of Suspense until 0.3 s after the last fallback, and with that the content of a page
 * that just opened, or a dialog that a click asked for.
 */
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';

type Loaded<T> = { value: T } | { error: unknown } | null;

/**
 * The value once it is loaded; a failed load is thrown to the boundary of errors.
 *
 * @param load the first one counts
 */
export function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<Loaded<T>>(null);
  const [first] = useState(() => load);
  useEffect(() => {
    let isWanted = true;
    first().then(
      (value) => isWanted && setLoaded({ value }),
      (error) => isWanted && setLoaded({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [first]);
  if (loaded === null) return undefined;
  if ('error' in loaded) throw loaded.error;
  return loaded.value;
}

interface Apart<P> {
  load(): Promise<{ default: ComponentType<P> }>;
  known?: { default: ComponentType<P> };
}

interface LoadedPartProps<P extends object> {
  apart: Apart<P>;
  waiting: ReactNode;
  props: P;
}

function LoadedPart<P extends object>({ apart, waiting, props }: LoadedPartProps<P>) {
  const loaded = useLoaded(async () => {
    apart.known ??= await apart.load();
    return apart.known;
  });
  const Part = (loaded ?? apart.known)?.default;
  if (!Part) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Part {...props} />
    </Suspense>
  );
}

/**
 * A component that renders `waiting` until its module is loaded, which begins when it is first
 * rendered. Its words may need a bundle as well, for which it suspends.
 */
export function loadedPart<P extends object>(
  load: Apart<P>['load'],
  waiting: ReactNode = null,
): (props: P & { waiting?: ReactNode }) => ReactNode {
  const apart: Apart<P> = { load };
  return ({ waiting: own, ...props }) => (
    <LoadedPart apart={apart} waiting={own ?? waiting} props={props as unknown as P} />
  );
}
