import { expect, it } from 'vitest';
import { changedView, EVERYTHING, folderPath, viewOf } from './folder-location.ts';

it('a filter survives the URL', () => {
  const view = { standing: 'blocked', q: 'app', sort: '-size', page: 3 } as const;
  expect(viewOf(new URLSearchParams(changedView(view, { page: 3 })))).toEqual(view);
});

it.each(['standing=all&page=0', 'sort=name', 'page=x', 'page=1.5', 'page=10001'])(
  'what is no filter is left out: %s',
  (query) => {
    expect(viewOf(new URLSearchParams(query))).toEqual(EVERYTHING);
  },
);

it('another filter starts on its first page', () => {
  const view = { standing: null, q: 'app', sort: 'urgency', page: 3 } as const;
  expect(changedView(view, { standing: 'clean' })).toEqual({ standing: 'clean', q: 'app' });
  expect(changedView(view, { q: '' })).toEqual({});
  expect(changedView(view, { sort: '-size' })).toEqual({ q: 'app', sort: '-size' });
});

it('the name of a folder is escaped', () => {
  expect(folderPath('__root__')).toBe('/folders/__root__');
  expect(folderPath('a/b')).toBe('/folders/a%2Fb');
});
