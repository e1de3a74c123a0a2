/**
 * The options of a picker that offers the first of many, under a heading that says so.
 * @param options may be more than are shown
 * @param words say how many are shown, and how others are found
 * @param cut whether there are others, where `options` does not tell
 */
export function firstOptions<T>(
  options: T[],
  most: number,
  words: (shown: number) => string,
  cut = options.length > most,
): T[] | [{ group: string; items: T[] }] {
  return cut ? [{ group: words(most), items: options.slice(0, most) }] : options;
}
