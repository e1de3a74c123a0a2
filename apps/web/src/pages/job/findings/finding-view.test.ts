import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queryOf, readView } from './finding-view.ts';

it('a view is read from the address as it was written', () => {
  const view = fc.record({
    severities: fc.subarray(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const),
    fixableOnly: fc.boolean(),
    text: fc.string(),
    grouping: fc.constantFrom('vulnerability' as const, 'package' as const),
  });
  fc.assert(
    fc.property(view, (each) => {
      expect(readView(new URLSearchParams(queryOf(each)))).toEqual(each);
    }),
  );
});

it.each(['severity=WORST', 'fixable=1', 'by=layer', ''])('%j is the default view', (query) => {
  expect(readView(new URLSearchParams(query))).toEqual({
    severities: [],
    fixableOnly: false,
    text: '',
    grouping: 'vulnerability',
  });
});
