/** The columns of a table, with the words that they need. */
import { useMemo } from 'react';
import { type Format, type Messages, useFormat, useMessages } from '../../i18n/messages.ts';
import type { Column } from './columns.ts';

/**
 * A hook for columns that stay the same until the language or what is given is another one: with
 * other columns all rows are rendered again.
 */
export function defineColumns<G extends keyof Messages, T, A extends unknown[]>(
  group: G,
  make: (t: Messages[G], format: Format, ...given: A) => Column<T>[],
): (...given: A) => Column<T>[] {
  return (...given) => {
    const t = useMessages(group);
    const format = useFormat();
    // biome-ignore lint/correctness/useExhaustiveDependencies: the array differs in each render
    return useMemo(() => make(t, format, ...given), [t, format, ...given]);
  };
}
