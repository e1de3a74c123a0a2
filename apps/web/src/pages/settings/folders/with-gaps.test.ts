import { expect, it } from 'vitest';
import { withGaps } from './with-gaps.ts';

const line = (index: number) => ({ index, start: 40 + index * 10, end: 50 + index * 10 });

it.each([
  ['all lines', [0, 1, 2], 70, [0, 1, 2]],
  ['lines in the middle', [2, 3], 100, ['20', 2, 3, '20']],
  ['one that is kept before the others', [0, 4], 90, [0, '30', 4]],
  ['no line', [], 90, ['50']],
  ['no line of an empty list', [], 40, []],
])('%s and their gaps are as long as the list', (_, shown, to, expected) => {
  const places = withGaps(shown.map(line), 40, to);
  expect(places.map(({ index, size }) => index ?? String(size))).toEqual(expected);
  expect(places.reduce((sum, { size }) => sum + size, 0)).toBe(to - 40);
  expect(new Set(places.map(({ key }) => key)).size).toBe(places.length);
});
