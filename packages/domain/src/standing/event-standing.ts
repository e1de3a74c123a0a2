/**
 * A standing as audit events carry it, so that the bell, mails and webhooks state what lists and
 * pages state.
 */
import { NO_FINDINGS } from '../policy/layer-counts.ts';
import { SEVERITIES, type SeverityCounts } from '../policy/vulnerability.ts';
import {
  type DestinationStanding,
  STANDING_CAVEATS,
  STANDING_STATES,
  STANDING_WAITS,
} from './destination-standing.ts';

/** What words of a standing are made of. */
export type SaidStanding = Omit<
  DestinationStanding,
  'blocking' | 'blockingCounts' | 'waivedTotal' | 'until'
> & {
  /** RFC 3339 in replies and events. */
  until: Date | string | null;
};

/** The field of the detail of an event. */
export const EVENT_STANDING = 'standing';

export function eventStanding(standing: DestinationStanding): Record<string, unknown> {
  const { state, code, blockingTotal, fixableTotal, found, waitsFor, caveat, by, until } = standing;
  return {
    ...{ state, code, found, caveat, by },
    ...{ blocking_total: blockingTotal, fixable_total: fixableTotal, waits_for: waitsFor },
    until: until?.toISOString() ?? null,
  };
}

/** Null where the detail of an event has none: nothing was judged, or its owner may not know. */
export function standingIn(detail: Record<string, unknown>): SaidStanding | null {
  const said = fieldsOf(detail[EVENT_STANDING]);
  const state = STANDING_STATES.find((each) => each === said.state);
  if (state === undefined) return null;
  return {
    state,
    code: textOf(said.code),
    blockingTotal: numberOf(said.blocking_total),
    fixableTotal: numberOf(said.fixable_total),
    found: countsOf(said.found),
    until: textOf(said.until),
    by: Array.isArray(said.by) ? said.by.filter((name) => typeof name === 'string') : [],
    waitsFor: STANDING_WAITS.find((each) => each === said.waits_for) ?? null,
    caveat: STANDING_CAVEATS.find((each) => each === said.caveat) ?? null,
  };
}

/** Whether a scan ended with an image that is blocked where it is to go. */
export function isBlockedScan(detail: Record<string, unknown>): boolean {
  const standing = standingIn(detail);
  return standing === null ? detail.verdict === 'blocked' : standing.state === 'blocked';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function countsOf(value: unknown): SeverityCounts | null {
  if (typeof value !== 'object' || value === null) return null;
  const read = fieldsOf(value);
  const counts = { ...NO_FINDINGS };
  for (const severity of SEVERITIES) counts[severity] = numberOf(read[severity]);
  return counts;
}
