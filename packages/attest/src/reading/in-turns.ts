/** One of each list in turn, so that many of one kind don't hide those of another. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const taken: T[] = [];
  let left = lists;
  for (let turn = 0; left.length > 0; turn += 1) {
    // Strangers choose how many kinds there are, and how many of each: no list is asked in vain.
    left = left.filter(({ length }) => length > turn);
    for (const list of left) taken.push(...list.slice(turn, turn + 1));
  }
  return taken;
}
