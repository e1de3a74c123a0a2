import { describe, expect, it } from 'vitest';
import { changedFilter, readImageFilter } from './image-filter.ts';

describe('the list’s address', () => {
  it.each([
    ['', { q: '', folder: null, page: 1 }],
    ['q=app&folder=team&page=3', { q: 'app', folder: 'team', page: 3 }],
    ['page=0', { q: '', folder: null, page: 1 }],
    ['page=1.5', { q: '', folder: null, page: 1 }],
    ['page=99999', { q: '', folder: null, page: 1 }],
  ])('"%s" is read', (search, filter) => {
    expect(readImageFilter(new URLSearchParams(search))).toEqual(filter);
  });

  it.each([
    [{ q: 'web' }, { q: 'web', folder: 'team' }],
    [{ folder: null }, { q: 'app' }],
    [{ page: 4 }, { q: 'app', folder: 'team', page: '4' }],
  ])('%j: another question begins on the first page', (change, written) => {
    expect(changedFilter({ q: 'app', folder: 'team', page: 3 }, change)).toEqual(written);
  });
});
