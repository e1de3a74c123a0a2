/** The columns of a table, with the words that they need. */
import { useMemo } from 'react';
import { type Format, useFormat } from '../../i18n/format.ts';
import { type Messages, useMessages } from '../../i18n/messages.ts';
import type { Column } from './columns.ts';

/**
 * A hook for columns that stay the same until their language does, or what is given: rows are
 * rendered again with other columns.
 */
export function defineColumns<G extends keyof Messages, T, A = undefined>(
  group: G,
  make: (t: Messages[G], format: Format, given: A) => Column<T>[],
): (...given: A extends undefined ? [] : [A]) => Column<T>[] {
  return (...[given]) => {
    const t = useMessages(group);
    const format = useFormat();
    return useMemo(() => make(t, format, given as A), [t, format, given]);
  };
}
