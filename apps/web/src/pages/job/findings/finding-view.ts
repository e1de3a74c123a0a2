/** Filter, grouping and order of findings, kept in the URL, so that a colleague sees the same. */
import { SEVERITIES } from '@portcullis/domain';
import { useUrlState } from '../../../kit/use-url-state.ts';
import type { ShownFindingFilter } from './finding-list.ts';
import { FINDING_ORDERS, type FindingOrder } from './finding-order.ts';
import type { Grouping } from './findings-filter.tsx';

export interface FindingView extends ShownFindingFilter {
  grouping: Grouping;
  order: FindingOrder;
}

export function readView(query: URLSearchParams): FindingView {
  const named = (query.get('severity') ?? '').split(',');
  return {
    severities: SEVERITIES.filter((severity) => named.includes(severity)),
    fixableOnly: query.get('fixable') === 'true',
    exploitedOnly: query.get('exploited') === 'true',
    newOnly: query.get('new') === 'true',
    text: query.get('find') ?? '',
    layer: query.get('layer') || null,
    grouping: query.get('by') === 'package' ? 'package' : 'vulnerability',
    order: FINDING_ORDERS.find((each) => each === query.get('sort')) ?? 'severity',
  };
}

export function queryOf(view: FindingView) {
  const { severities, fixableOnly, exploitedOnly, newOnly, text, layer, grouping, order } = view;
  return {
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(fixableOnly && { fixable: 'true' }),
    ...(exploitedOnly && { exploited: 'true' }),
    ...(newOnly && { new: 'true' }),
    ...(text !== '' && { find: text }),
    ...(layer !== null && { layer }),
    ...(grouping === 'package' && { by: grouping }),
    ...(order !== 'severity' && { sort: order }),
  };
}

export const useFindingView = () =>
  useUrlState<FindingView>({
    read: readView,
    write: (view, change) => queryOf({ ...view, ...change }),
  });
