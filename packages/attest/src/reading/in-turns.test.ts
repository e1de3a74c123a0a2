import { expect, it } from 'vitest';
import { inTurns } from './in-turns.ts';

it('one of each is taken in turn', () => {
  expect(inTurns([['a', 'b', 'c'], [], ['d'], ['e', 'f']])).toEqual(['a', 'd', 'e', 'b', 'f', 'c']);
  expect(inTurns([])).toEqual([]);
});

it('a list is asked as often as it has something, however many there are', () => {
  let asked = 0;
  class Counted extends Array<number> {
    override slice(from?: number, to?: number): number[] {
      asked += 1;
      return Array.from(this).slice(from, to);
    }
  }
  const many = Array.from({ length: 1_000 }, (_, nth) => nth);
  const lists = [Counted.from(many), ...many.map((nth) => Counted.of(nth))];
  expect(inTurns(lists)).toHaveLength(2_000);
  expect(asked).toBe(2_000);
});
