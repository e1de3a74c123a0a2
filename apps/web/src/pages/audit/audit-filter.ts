/** The filter of the audit log, kept in the URL. */
import {
  ANY_TIME,
  queryOfRange,
  type TimeRange,
  timeRangeOf,
  timeRangeParameters,
} from '../../kit/form/time-range.ts';
import { useUrlState } from '../../kit/use-url-state.ts';

export interface AuditView extends TimeRange {
  actor: string;
  event: string;
  q: string;
}

export const EVERYTHING: AuditView = {
  actor: '',
  event: '',
  q: '',
  ...ANY_TIME,
};

export function isFiltered(view: AuditView): boolean {
  return view.actor !== '' || view.event !== '' || view.q !== '' || view.range !== 'all';
}

export function viewOf(parameters: URLSearchParams): AuditView {
  const text = (name: string) => parameters.get(name) ?? '';
  return {
    actor: text('actor'),
    event: text('event'),
    q: text('q'),
    ...timeRangeOf(parameters),
  };
}

export function parametersOf(view: AuditView): Record<string, string> {
  const { actor, event, q } = view;
  const words = Object.entries({ actor, event, q }).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(words), ...timeRangeParameters(view) };
}

export function queryOf(view: AuditView, now: number) {
  const { actor, event, q } = view;
  const words = { actor: actor.trim(), event: event.trim(), q: q.trim() };
  return { ...words, ...queryOfRange(view, now) };
}

export const useAuditView = () =>
  useUrlState({ read: viewOf, write: (view, change) => parametersOf({ ...view, ...change }) });
