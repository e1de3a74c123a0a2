/** The options of a picker that offers the first of many, under a heading that says so. */
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';

/**
 * @returns the data of a field of Mantine; `options` may be more than are shown, and `cut` says
 *   that there are others where they are not
 */
export function useFirstOptions() {
  const t = useMessages('filters');
  const format = useFormat();
  return <T>(
    options: readonly T[],
    most: number,
    cut = options.length > most,
  ): T[] | [{ group: string; items: T[] }] => {
    const items = options.slice(0, most);
    return cut ? [{ group: t.first(format.number(most)), items }] : items;
  };
}
