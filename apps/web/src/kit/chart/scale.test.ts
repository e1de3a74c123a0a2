/** The axes of bar charts. */
import { expect, it } from 'vitest';
import { axisValues, barParts, labelledDays } from './scale.ts';

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [360, [0, 100, 200, 300, 400]],
  [9_500, [0, 5_000, 10_000]],
  [12_000, [0, 5_000, 10_000, 15_000]],
])('an axis up to %i has round values without fractions', (highest, values) => {
  expect(axisValues(highest)).toEqual(values);
});

const december = Array.from({ length: 30 }, (_, day) =>
  new Date(Date.UTC(2026, 11, 10 + day)).toISOString().slice(0, 10),
);

it('labels keep their room, and the last day has one', () => {
  const labels = labelledDays(december, 300, 60);
  expect(labels.map(({ index }) => index)).toEqual([5, 11, 17, 23, 29]);
});

it('the year is shown only where it changes', () => {
  const shown = labelledDays(december, 300, 60).filter(({ newYear }) => newYear);
  expect(shown.map(({ index }) => december[index])).toEqual(['2027-01-02']);
  expect(labelledDays(december.slice(0, 10), 300, 60).some(({ newYear }) => newYear)).toBe(false);
});

it('parts are stacked from the bottom, and a small one stays visible', () => {
  const values = [
    ['big', 500],
    ['none', 0],
    ['small', 1],
  ] as const;
  expect(barParts(values, 1000, 200)).toEqual([
    { name: 'big', y: 100, height: 100 },
    { name: 'small', y: 99, height: 1 },
  ]);
});
