import { describe, expect, it } from 'vitest';
import { changedFilter, type ImageFilter, readImageFilter } from './image-filter.ts';

const FILTER: ImageFilter = { q: '', view: 'tree', sort: 'name', page: 1, open: [] };

describe('the URL of the images page', () => {
  it.each([
    ['', { q: '', view: 'tree', sort: 'name', page: 1, open: [] }],
    ['q=app&page=3', { q: 'app', view: 'tree', sort: 'name', page: 3, open: [] }],
    [
      'open=team&open=team/deep&open=team',
      { q: '', view: 'tree', sort: 'name', page: 1, open: ['team', 'team/deep'] },
    ],
    ['sort=-size', { q: '', view: 'tree', sort: '-size', page: 1, open: [] }],
    ['sort=color', { q: '', view: 'tree', sort: 'name', page: 1, open: [] }],
    ['view=list', { q: '', view: 'list', sort: 'name', page: 1, open: [] }],
    ['page=0', { q: '', view: 'tree', sort: 'name', page: 1, open: [] }],
    ['page=1.5', { q: '', view: 'tree', sort: 'name', page: 1, open: [] }],
    ['page=99999', { q: '', view: 'tree', sort: 'name', page: 1, open: [] }],
  ])('"%s" is read', (search, filter) => {
    expect(readImageFilter(new URLSearchParams(search))).toEqual(filter);
  });

  it.each([
    [{ q: 'web' }, { q: 'web', open: ['team'] }],
    [{ q: '' }, { open: ['team'] }],
    [{ page: 4 }, { q: 'app', page: '4', open: ['team'] }],
    [{ open: [] }, { q: 'app', open: [] }],
    [{ sort: '-size' } as const, { q: 'app', sort: '-size', open: ['team'] }],
    [{ view: 'list' } as const, { q: 'app', view: 'list', open: ['team'] }],
    [{ sort: 'name' } as const, { q: 'app', open: ['team'] }],
  ])(
    '%j: another search or order starts on the first page, and expanded paths are kept',
    (change, written) => {
      expect(changedFilter({ ...FILTER, q: 'app', page: 3, open: ['team'] }, change)).toEqual(
        written,
      );
    },
  );

  it('keeps the most recently expanded paths, as many as a URL can hold', () => {
    const many = Array.from({ length: 60 }, (_, n) => `f${n}`);
    const { open } = changedFilter({ ...FILTER, open: many }, {});
    expect([open?.length, open?.at(-1)]).toEqual([40, 'f59']);
  });
});
