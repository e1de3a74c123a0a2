import { expect, it } from 'vitest';
import { runningLines } from './running.ts';

const at = '2026-05-01T00:00:00Z';
const now = new Date('2026-05-01T00:10:00Z');
const image = {
  ...{ repository: 'team/app', folder: 'team', digest: 'sha256:a', tags: ['1', '2'] },
  ...{ cluster: 'eu', namespace: 'shop', source: 'admission' as const, seen_at: at },
};
const counts = { namespaces: 2, clusters: 1, seen_at: at };

it('each namespace has a line, below how many there are', () => {
  const moved = { ...image, namespace: 'blog', tags: [] };
  expect(runningLines({ counts, images: [image, moved], more: true }, now)).toEqual([
    '2 namespaces of 1 cluster',
    `eu/shop: team/app:1@sha256:a, started last ${at}`,
    `eu/blog: team/app@sha256:a, started last ${at}`,
    'and more than these 2',
  ]);
});

it('what an agent reports runs, until the agent is silent', () => {
  const images = [{ ...image, source: 'agent' as const }];
  const line = (time: string) =>
    runningLines({ counts, images, more: false }, new Date(`2026-05-01T${time}Z`))[1];
  expect(line('00:15:00')).toContain(`, runs ${at}`);
  expect(line('00:15:01')).toContain(`, ran ${at}, when its agent reported last`);
});

it('where none is known it is not said that none runs', () => {
  expect(runningLines({ counts: null, images: [], more: false }, now)).toEqual([
    expect.stringContaining('Clusters that do not report are not known.'),
  ]);
});
