import { expect, it } from 'vitest';
import { riskOf } from './risk.ts';
import type { ThreatFeeds } from './threat-feeds.ts';

const readAt = new Date('2026-11-29T00:00:00Z');
const kev = { readAt, has: (id: string) => id.startsWith('K') };
const SCORES: Record<string, number> = { A: 1, B: 0.00043, K: 0.2, K1: 0 };
const epss = { readAt, score: (id: string) => SCORES[id] ?? null };

const ordered = (ids: string[], feeds: ThreatFeeds) =>
  ids
    .map((id) => ({ id, risk: riskOf(id, feeds) ?? -1 }))
    .sort((one, other) => other.risk - one.risk)
    .map(({ id }) => id)
    .join(' ');

it.each<[string, ThreatFeeds, string]>([
  [
    'what is exploited is above the most probable, also without a probability',
    { kev, epss },
    'K K1 K0 A B C',
  ],
  ['without the catalog, the probability decides', { kev: null, epss }, 'A K B K1 C K0'],
  ['without probabilities, the catalog decides', { kev, epss: null }, 'K K1 K0 C A B'],
])('%s', (_, feeds, order) => {
  const given = epss === feeds.epss ? ['C', 'K0', 'B', 'K1', 'A', 'K'] : ['C', 'A', 'B'];
  const ids = feeds.epss ? given : ['K', 'K1', 'K0', ...given];
  expect(ordered(ids, feeds)).toBe(order);
});

it('without feeds nothing is known', () => {
  expect(riskOf('K', { kev: null, epss: null })).toBeNull();
  expect(riskOf('C', { kev, epss })).toBeNull();
});
