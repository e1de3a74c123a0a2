import { expect, it } from 'vitest';
import { runningLines } from './running.ts';

const at = '2026-05-01T00:00:00Z';
const image = {
  ...{ repository: 'team/app', folder: 'team', digest: 'sha256:a', tags: ['1', '2'] },
  ...{ cluster: 'eu', namespace: 'shop', seen_at: at },
};
const counts = { namespaces: 2, clusters: 1, seen_at: at };

it('each namespace has a line, below how many there are', () => {
  const moved = { ...image, namespace: 'blog', tags: [] };
  expect(runningLines({ counts, images: [image, moved], more: true })).toEqual([
    '2 namespaces of 1 cluster',
    `eu/shop: team/app:1@sha256:a, started last ${at}`,
    `eu/blog: team/app@sha256:a, started last ${at}`,
    'and more than these 2',
  ]);
});

it('where none is known it is not said that none runs', () => {
  expect(runningLines({ counts: null, images: [], more: false })).toEqual([
    expect.stringContaining('Clusters that do not report are not known.'),
  ]);
});
