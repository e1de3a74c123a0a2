import { describe, expect, it } from 'vitest';
import { changedFilter, readImageFilter, toggled } from './image-filter.ts';

describe('the URL of the images page', () => {
  it.each([
    ['', { q: '', page: 1, open: [] }],
    ['q=app&page=3', { q: 'app', page: 3, open: [] }],
    ['open=team&open=team/deep&open=team', { q: '', page: 1, open: ['team', 'team/deep'] }],
    ['page=0', { q: '', page: 1, open: [] }],
    ['page=1.5', { q: '', page: 1, open: [] }],
    ['page=99999', { q: '', page: 1, open: [] }],
  ])('"%s" is read', (search, filter) => {
    expect(readImageFilter(new URLSearchParams(search))).toEqual(filter);
  });

  it.each([
    [{ q: 'web' }, { q: 'web', open: ['team'] }],
    [{ q: '' }, { open: ['team'] }],
    [{ page: 4 }, { q: 'app', page: '4', open: ['team'] }],
    [{ open: [] }, { q: 'app', open: [] }],
  ])(
    '%j: another search starts on the first page, and expanded paths are kept',
    (change, written) => {
      expect(changedFilter({ q: 'app', page: 3, open: ['team'] }, change)).toEqual(written);
    },
  );

  it('keeps the most recently expanded paths, as many as a URL can hold', () => {
    const many = Array.from({ length: 60 }, (_, n) => `f${n}`);
    const { open } = changedFilter({ q: '', page: 1, open: many }, {});
    expect([open?.length, open?.at(-1)]).toEqual([40, 'f59']);
  });

  it('toggling collapses an expanded path and expands another', () => {
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
  });
});
