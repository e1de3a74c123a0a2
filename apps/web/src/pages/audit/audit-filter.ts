/** The filter of the audit log, kept in the URL. */
import { useUrlState } from '../../kit/use-url-state.ts';

const HOUR_MS = 3_600_000;
const SPANS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
} as const;

export const RANGES = ['hour', 'day', 'week', 'month', 'all', 'own'] as const;
type Range = (typeof RANGES)[number];

export interface AuditView {
  actor: string;
  event: string;
  q: string;
  range: Range;
  /** Values of `<input type="datetime-local">`; only for the range `own`. */
  since: string;
  until: string;
}

export const EVERYTHING: AuditView = {
  actor: '',
  event: '',
  q: '',
  range: 'all',
  since: '',
  until: '',
};

export function isFiltered(view: AuditView): boolean {
  return view.actor !== '' || view.event !== '' || view.q !== '' || view.range !== 'all';
}

export function viewOf(parameters: URLSearchParams): AuditView {
  const text = (name: string) => parameters.get(name) ?? '';
  const range = RANGES.find((each) => each === parameters.get('range')) ?? 'all';
  return {
    actor: text('actor'),
    event: text('event'),
    q: text('q'),
    range,
    since: text('since'),
    until: text('until'),
  };
}

export function parametersOf(view: AuditView): Record<string, string> {
  const { range, since, until, ...words } = view;
  const all = {
    ...words,
    ...(range !== 'all' && { range }),
    ...(range === 'own' && { since, until }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Rounded to the minute, so that the query key stays stable. */
export function queryOf(view: AuditView, now: number) {
  const { actor, event, q, range } = view;
  const words = { actor: actor.trim(), event: event.trim(), q: q.trim() };
  if (range === 'all') return words;
  if (range === 'own') return { ...words, since: moment(view.since), until: moment(view.until) };
  const minute = Math.floor(now / 60_000) * 60_000;
  return { ...words, since: new Date(minute - SPANS[range]).toISOString() };
}

function moment(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

export const useAuditView = () =>
  useUrlState({ read: viewOf, write: (view, change) => parametersOf({ ...view, ...change }) });
