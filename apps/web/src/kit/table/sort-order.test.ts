import { describe, expect, it } from 'vitest';
import { ariaSort, nextOrder } from './sort-order.ts';

describe('a click on a heading', () => {
  it.each([
    ['another column ascends', 'image', false, '-created_at', 'image'],
    ['a column of times has the newest first', 'created_at', true, 'image', '-created_at'],
    ['the same column turns round', 'image', false, 'image', '-image'],
    ['and back', 'image', false, '-image', 'image'],
  ])('%s', (_, column, descendsFirst, before, after) => {
    expect(nextOrder(before, column, descendsFirst)).toBe(after);
  });
});

it('a heading says in which direction its column is ordered, the others nothing', () => {
  expect(ariaSort('-image', 'image')).toBe('descending');
  expect(ariaSort('image', 'image')).toBe('ascending');
  expect(ariaSort('image', 'owner')).toBeUndefined();
});
