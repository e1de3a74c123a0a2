import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FINDING_ORDERS } from './finding-order.ts';
import { queryOf, readView } from './finding-view.ts';

it('a view is read from the address as it was written', () => {
  const view = fc.record({
    severities: fc.subarray(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const),
    fixableOnly: fc.boolean(),
    exploitedOnly: fc.boolean(),
    newOnly: fc.boolean(),
    text: fc.string(),
    layer: fc.constantFrom(null, 'sha256:0a', 'sha512:ff'),
    grouping: fc.constantFrom('vulnerability' as const, 'package' as const),
    order: fc.constantFrom(...FINDING_ORDERS),
  });
  fc.assert(
    fc.property(view, (each) => {
      expect(readView(new URLSearchParams(queryOf(each)))).toEqual(each);
    }),
  );
});

it.each([
  'severity=WORST',
  'fixable=1',
  'exploited=1',
  'by=layer',
  'sort=age',
  'layer=',
  'new=1',
  '',
])('%j is the default view', (query) => {
  expect(readView(new URLSearchParams(query))).toEqual({
    severities: [],
    fixableOnly: false,
    exploitedOnly: false,
    newOnly: false,
    text: '',
    layer: null,
    grouping: 'vulnerability',
    order: 'severity',
  });
});
