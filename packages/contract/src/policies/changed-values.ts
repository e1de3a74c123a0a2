/** The difference that a change makes, for its audit event. */

/** The fields that differ, each as `{ from, to }`. */
export function changedValues<T extends object>(before: T, after: T): Record<string, unknown> {
  const old = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([field, value]) => !alike(old.get(field), value));
  return Object.fromEntries(
    changed.map(([field, value]) => [field, { from: old.get(field) ?? null, to: value }]),
  );
}

/** Lists are alike where their items are. */
function alike(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
