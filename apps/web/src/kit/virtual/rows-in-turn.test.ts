import { expect, it } from 'vitest';
import { spanOf } from './rows-in-turn.ts';

const wanted = { from: 96, to: 124, first: 100, last: 119 };

it.each<[string, (index: number) => boolean, number, { from: number; to: number }]>([
  ['a list that leaps begins with the first visible row', () => false, 8, { from: 100, to: 108 }],
  ['the next batch follows', (n) => n >= 100 && n < 108, 8, { from: 100, to: 116 }],
  ['the rows before the visible ones come last', (n) => n >= 100, 3, { from: 97, to: 124 }],
  ['all rows fit in one batch', () => false, 28, { from: 96, to: 124 }],
  ['a few new rows at the end are shown at once', (n) => n < 121, 3, { from: 96, to: 124 }],
  ['a few new rows at the begin are shown at once', (n) => n > 98, 3, { from: 96, to: 124 }],
  [
    'visible rows stay, and others are added before them',
    (n) => n >= 110,
    4,
    { from: 106, to: 124 },
  ],
  ['mounted rows stay where no room is left', (n) => n < 112, 2, { from: 96, to: 114 }],
  ['rows that are no longer visible are left', (n) => n < 99, 4, { from: 100, to: 104 }],
])('%s', (_, isMounted, most, span) => {
  expect(spanOf(wanted, isMounted, most)).toEqual(span);
});
