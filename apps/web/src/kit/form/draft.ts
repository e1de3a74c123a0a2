/** What differs from what is stored. */

export function changesOf<T extends object>(stored: T, typed: Partial<T>): Partial<T> {
  const before = new Map(Object.entries(stored));
  const differing = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  // A subset of `typed`; the compiler cannot infer this through `fromEntries`.
  return Object.fromEntries(differing) as Partial<T>;
}

/** An empty field means null. */
export function orNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}
