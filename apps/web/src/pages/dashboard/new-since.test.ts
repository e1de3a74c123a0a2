import { expect, it } from 'vitest';
import { firstOfNew, type NamedVulnerability } from './new-since.ts';

const found = (count: number, exploited: number): NamedVulnerability[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ vulnerability: `CVE-2026-${1000 + at}`, severity: 'HIGH', images: 1, epss: null },
    ...{ kev: at < exploited, first_seen_at: '2026-11-29T00:00:00Z' },
  }));

it.each([
  ['few are all named', 3, 0, 3],
  ['of many the first are named', 40, 1, 8],
  ['what is exploited is named in any case', 40, 12, 12],
  ['nothing is nothing', 0, 0, 0],
])('%s', (_, count, exploited, named) => {
  const shown = firstOfNew(found(count, exploited));
  expect(shown).toHaveLength(named);
  expect(shown.filter(({ kev }) => kev)).toHaveLength(exploited);
});

it('without the feed, the first are named', () => {
  const unknown = found(20, 0).map((each) => ({ ...each, kev: null }));
  expect(firstOfNew(unknown)).toHaveLength(8);
});
