import { expect, it } from 'vitest';
import { spanOf } from './rows-in-turn.ts';

const wanted = { from: 96, to: 124, first: 100 };

it.each<[string, (index: number) => boolean, number, { from: number; to: number }]>([
  ['a list that leaps begins with the first visible row', () => false, 8, { from: 100, to: 108 }],
  ['the next batch follows', (n) => n >= 100 && n < 108, 8, { from: 100, to: 116 }],
  ['the rows before the visible ones come last', (n) => n >= 100, 3, { from: 97, to: 124 }],
  ['all rows fit in one batch', () => false, 28, { from: 96, to: 124 }],
  ['a few new rows at the end are shown at once', (n) => n < 121, 3, { from: 96, to: 124 }],
  ['a few new rows at the begin are shown at once', (n) => n > 98, 3, { from: 96, to: 124 }],
  ['rows beyond a gap wait', (n) => n >= 110, 4, { from: 100, to: 104 }],
])('%s', (_, isMounted, most, span) => {
  expect(spanOf(wanted, isMounted, most)).toEqual(span);
});
