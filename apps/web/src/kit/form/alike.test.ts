import { expect, it } from 'vitest';
import { alike } from './alike.ts';

const FIRST = { name: '', count: 1, list: ['a'], folder: null as string | null };

it.each<[string, unknown, object]>([
  [
    'the same members',
    { name: 'x', count: 2, list: [], folder: 'team' },
    { name: 'x', count: 2, list: [], folder: 'team' },
  ],
  ['members of another release', { name: 'x', other: 1 }, { ...FIRST, name: 'x' }],
  [
    'values of another kind',
    { name: 7, count: 'many', list: {}, folder: 'f' },
    { ...FIRST, folder: 'f' },
  ],
  ['text', 'draft', FIRST],
  ['nothing', null, FIRST],
])('of %s, what fits is taken', (_, stored, expected) => {
  expect(alike(stored, FIRST)).toEqual(expected);
});
