/**
 * Random choices that a seed repeats: mulberry32. Which process a kill hits still varies, because
 * the processes change between runs.
 */
export interface Chance {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  between(least: number, most: number): number;
  shuffled<T>(all: readonly T[]): T[];
}

export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  function shuffled<T>(all: readonly T[]): T[] {
    const left = [...all];
    return all.flatMap(() => left.splice(Math.floor(next() * left.length), 1));
  }
  return { next, shuffled, between: (least, most) => least + next() * (most - least) };
}
