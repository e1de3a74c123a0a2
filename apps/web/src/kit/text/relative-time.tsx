import { useEffect, useReducer } from 'react';
import { useFormat } from '../../i18n/messages.ts';

/** "3 minutes ago", updated every 30 s, with the exact time as tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const format = useFormat();
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(again, 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.relative(at)}
    </time>
  );
}
