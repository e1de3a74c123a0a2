/** Reads a stored value into the shape of a known one, since another release may have stored it. */

/** Of `stored`, the members of `first` with a value of the same kind. */
export function alike<T extends object>(stored: unknown, first: T): T {
  if (typeof stored !== 'object' || stored === null) return first;
  const known = new Map<string, unknown>(Object.entries(stored));
  const members = Object.entries(first).map(([name, value]) => {
    const kept = known.get(name);
    return [name, isAlike(kept, value) ? kept : value];
  });
  // The same members as `first`; the compiler cannot infer this through `fromEntries`.
  return Object.fromEntries(members) as T;
}

function isAlike(one: unknown, other: unknown): boolean {
  if (one === undefined) return false;
  if (one === null || other === null) return true;
  return typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
}
