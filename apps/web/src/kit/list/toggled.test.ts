import { expect, it } from 'vitest';
import { toggled } from './toggled.ts';

it('toggling removes an item from a list and adds another', () => {
  expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
});
