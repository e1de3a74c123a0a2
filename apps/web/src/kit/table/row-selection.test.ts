import { describe, expect, it } from 'vitest';
import { allToggled, NOTHING, type RowSelection, selected, toggled } from './row-selection.ts';

const ROWS = ['a', 'b', 'c', 'd', 'e'];

/** Clicks on rows, with Shift where the letter is a capital. */
function clicked(clicks: string, from: RowSelection = NOTHING): string {
  let selection = from;
  for (const click of clicks) {
    const id = click.toLowerCase();
    selection = toggled(selection, id, ROWS, click !== id);
  }
  return selected(selection, ROWS).join('');
}

describe('clicks on rows', () => {
  it.each([
    ['select and deselect', 'aba', 'b'],
    ['with Shift select the rows between, upwards too', 'dB', 'bcd'],
    ['with Shift take the state of the row before', 'aEbD', 'ae'],
    ['with Shift and none before select one', 'C', 'c'],
    ['go on from the end of a range', 'aCE', 'abcde'],
  ])('%s', (_, clicks, result) => {
    expect(clicked(clicks)).toBe(result);
  });
});

it('a row that has left the list is not selected', () => {
  const selection = { ...NOTHING, ids: new Set(['a', 'gone']) };
  expect(selected(selection, ROWS)).toEqual(['a']);
});

it('all that match are the loaded ones and more; without one of them they are the loaded ones', () => {
  const everything = { ...NOTHING, everything: true };
  expect(selected(everything, ROWS)).toEqual(ROWS);
  const without = toggled(everything, 'c', ROWS, false);
  expect(without.everything).toBe(false);
  expect(selected(without, ROWS)).toEqual(['a', 'b', 'd', 'e']);
});

it('the heading selects all loaded rows, and then none', () => {
  const all = allToggled({ ...NOTHING, ids: new Set(['b']) }, ROWS);
  expect(selected(all, ROWS)).toEqual(ROWS);
  expect(selected(allToggled(all, ROWS), ROWS)).toEqual([]);
});
