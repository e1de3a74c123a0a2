/** The filter and the grouping of findings, kept in the URL, so that a colleague sees the same. */
import { SEVERITIES } from '@portcullis/domain';
import { useUrlState } from '../../../kit/use-url-state.ts';
import type { ShownFindingFilter } from './finding-list.ts';
import type { Grouping } from './findings-filter.tsx';

export interface FindingView extends ShownFindingFilter {
  grouping: Grouping;
}

export function readView(query: URLSearchParams): FindingView {
  const named = (query.get('severity') ?? '').split(',');
  return {
    severities: SEVERITIES.filter((severity) => named.includes(severity)),
    fixableOnly: query.get('fixable') === 'true',
    text: query.get('find') ?? '',
    grouping: query.get('by') === 'package' ? 'package' : 'vulnerability',
  };
}

export function queryOf({ severities, fixableOnly, text, grouping }: FindingView) {
  return {
    ...(severities.length > 0 && { severity: severities.join(',') }),
    ...(fixableOnly && { fixable: 'true' }),
    ...(text !== '' && { find: text }),
    ...(grouping === 'package' && { by: grouping }),
  };
}

export const useFindingView = () =>
  useUrlState<FindingView>({
    read: readView,
    write: (view, change) => queryOf({ ...view, ...change }),
  });
