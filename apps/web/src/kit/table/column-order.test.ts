import { describe, expect, it } from 'vitest';
import { hasColumn, inColumnOrder, type SortValues } from './column-order.ts';

interface Row {
  name: string;
  tokens: number;
  used: string | null;
}

const VALUES: SortValues<Row> = {
  name: ({ name }) => name,
  tokens: ({ tokens }) => tokens,
  used: ({ used }) => used,
};
const ROWS: Row[] = [
  { name: 'robot-10', tokens: 2, used: null },
  { name: 'robot-9', tokens: 10, used: '2026-11-02T00:00:00Z' },
  { name: 'Alpha', tokens: 2, used: '2026-11-01T00:00:00Z' },
];

describe('the order of a list that is loaded whole', () => {
  it.each([
    ['names, with the numbers in them by value', 'name', ['Alpha', 'robot-9', 'robot-10']],
    ['names in descending order', '-name', ['robot-10', 'robot-9', 'Alpha']],
    ['numbers by value, equal ones as they were', 'tokens', ['robot-10', 'Alpha', 'robot-9']],
    ['no value last', 'used', ['Alpha', 'robot-9', 'robot-10']],
    ['no value last in descending order', '-used', ['robot-9', 'Alpha', 'robot-10']],
    ['an unknown order as they were', 'size', ['robot-10', 'robot-9', 'Alpha']],
  ])('sorts %s', (_, order, names) => {
    expect(inColumnOrder(ROWS, order, VALUES).map(({ name }) => name)).toEqual(names);
  });

  it('keeps the given list', () => {
    inColumnOrder(ROWS, 'name', VALUES);
    expect(ROWS.map(({ name }) => name)).toEqual(['robot-10', 'robot-9', 'Alpha']);
  });
});

it.each([
  ['name', true],
  ['-used', true],
  ['size', false],
  ['__proto__', false],
  ['-valueOf', false],
])('the order %s is of a column: %s', (order, known) => {
  expect(hasColumn(VALUES, order)).toBe(known);
});
