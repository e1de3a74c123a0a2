import { describe, expect, it } from 'vitest';
import { isSameQuery, readFilters, withFilter } from './saved-filters.ts';

const NIGHT = { name: 'Night', query: 'show=blocked' };
const storing = (text: string | null) => ({ getItem: () => text });

describe('the stored filters', () => {
  it.each([
    ['as they were saved', JSON.stringify([NIGHT]), [NIGHT]],
    ['none where none were saved', null, []],
    ['none where the text is broken', '[{', []],
    ['without what is no filter', JSON.stringify([NIGHT, { name: 1 }, null, 'x']), [NIGHT]],
  ])('are read %s', (_, text, filters) => {
    expect(readFilters(storing(text), 'any')).toEqual(filters);
  });

  it('have each name once, and are 20 at most', () => {
    const again = { name: 'Night', query: 'show=failed' };
    expect(withFilter([NIGHT, { name: 'Day', query: '' }], again)).toEqual([
      { name: 'Day', query: '' },
      again,
    ]);
    const many = Array.from({ length: 20 }, (_, n) => ({ name: String(n), query: '' }));
    expect(withFilter(many, NIGHT)).toHaveLength(20);
    expect(withFilter(many, NIGHT).at(-1)).toEqual(NIGHT);
  });
});

it('the order of parameters makes no other filter', () => {
  expect(isSameQuery('a=1&b=2', 'b=2&a=1')).toBe(true);
  expect(isSameQuery('a=1', 'a=2')).toBe(false);
});
