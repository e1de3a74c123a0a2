/** The filter of the audit log, kept in the URL. */
import type { AuditEvent } from '@portcullis/contract';
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
  /** Null: any. */
  outcome: AuditEvent['outcome'] | null;
}

export const OUTCOMES = ['success', 'denied', 'failure'] as const satisfies AuditEvent['outcome'][];

export const EVERYTHING: AuditView = {
  actor: '',
  event: '',
  q: '',
  outcome: null,
  ...ANY_TIME,
};

export function isFiltered(view: AuditView): boolean {
  return Object.keys(parametersOf(view)).length > 0;
}

export function viewOf(parameters: URLSearchParams): AuditView {
  const text = (name: string) => parameters.get(name) ?? '';
  return {
    actor: text('actor'),
    event: text('event'),
    q: text('q'),
    outcome: OUTCOMES.find((each) => each === parameters.get('outcome')) ?? null,
    ...timeRangeOf(parameters),
  };
}

export function parametersOf(view: AuditView): Record<string, string> {
  const { actor, event, q, outcome } = view;
  const given = { actor, event, q, outcome: outcome ?? '' };
  const words = Object.entries(given).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(words), ...timeRangeParameters(view) };
}

export function queryOf(view: AuditView, now: number) {
  const { actor, event, q, outcome } = view;
  const words = { actor: actor.trim(), event: event.trim(), q: q.trim() };
  return { ...words, ...(outcome !== null && { outcome }), ...queryOfRange(view, now) };
}

export const useAuditView = () =>
  useUrlState({ read: viewOf, write: (view, change) => parametersOf({ ...view, ...change }) });
