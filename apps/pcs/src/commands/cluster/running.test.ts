import { expect, it } from 'vitest';
import { runningLines } from './running.ts';

const at = '2026-05-01T00:00:00Z';
const image = {
  ...{ repository: 'team/app', folder: 'team', digest: 'sha256:a', tags: ['1', '2'] },
  ...{ cluster: 'eu', namespace: 'shop', source: 'admission' as const },
  ...{ seen_at: at, silent: false },
};
const counts = { namespaces: 2, clusters: 1, silent_namespaces: 0, seen_at: at };

it('each namespace has a line, below how many there are', () => {
  const moved = { ...image, namespace: 'blog', tags: [] };
  expect(runningLines({ counts, images: [image, moved], more: true })).toEqual([
    '2 namespaces of 1 cluster',
    `eu/shop: team/app:1@sha256:a, started last ${at}`,
    `eu/blog: team/app@sha256:a, started last ${at}`,
    'and more than these 2',
  ]);
});

it('what an agent reports runs, until the agent is silent', () => {
  const lines = (silent: boolean) =>
    runningLines({
      counts: { ...counts, silent_namespaces: silent ? 1 : 0 },
      images: [{ ...image, source: 'agent' as const, silent }],
      more: false,
    });
  expect(lines(false)).toEqual([
    '2 namespaces of 1 cluster',
    expect.stringContaining(`, runs ${at}`),
  ]);
  expect(lines(true)).toEqual([
    '2 namespaces of 1 cluster, in 1 of them as a silent agent reported last',
    expect.stringContaining(`, ran ${at}, when its agent reported last`),
  ]);
});

it('where none is known it is not said that none runs', () => {
  expect(runningLines({ counts: null, images: [], more: false })).toEqual([
    expect.stringContaining('Clusters that do not report are not known.'),
  ]);
});
