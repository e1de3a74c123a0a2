/** The set with the item, or without it. */
export function withChoice<T>(chosen: ReadonlySet<T>, item: T, isChosen: boolean): ReadonlySet<T> {
  const next = new Set(chosen);
  if (isChosen) next.add(item);
  else next.delete(item);
  return next;
}
