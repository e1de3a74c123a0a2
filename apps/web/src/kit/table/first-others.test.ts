import { expect, it } from 'vitest';
import { withFirstOthers } from './first-others.ts';

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, nth) => String(first + nth));
const keyOf = (row: string) => row;

it.each<[string, { rows: string[]; shown: string[] }, string[]]>([
  ['the first ten rows where none is shown', { rows: from(1, 50), shown: [] }, from(1, 10)],
  ['ten more each time', { rows: from(1, 50), shown: from(1, 10) }, from(1, 20)],
  ['all of them in the end', { rows: from(1, 15), shown: from(1, 10) }, from(1, 15)],
  [
    'the rows that are shown, behind more new ones than fit',
    { rows: from(1, 60), shown: from(21, 60) },
    [...from(1, 10), ...from(21, 60)],
  ],
  ['no row that is gone', { rows: from(1, 3), shown: from(1, 9) }, from(1, 3)],
  ['the order of all rows', { rows: ['3', '1', '2'], shown: ['1', '2', '3'] }, ['3', '1', '2']],
])('%s', (_, { rows, shown }, expected) => {
  expect(withFirstOthers({ rows, keyOf }, new Set(shown))).toEqual(expected);
});
