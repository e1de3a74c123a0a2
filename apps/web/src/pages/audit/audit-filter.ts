/** The filter of the audit log. */
import type { AuditEvent } from '@portcullis/contract';
import { choice, flag, text, timeRange, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';

export const OUTCOMES = ['success', 'denied', 'failure'] as const satisfies AuditEvent['outcome'][];

export const AUDIT_FILTER = defineFilter({
  actor: text('actor', 'actor'),
  event: text('event', 'event'),
  q: words(),
  outcome: choice('outcome', OUTCOMES, (outcome) => ({ outcome })),
  /** Only images that the policy blocks, and that an account let through. */
  bypassed: flag('bypassed', () => ({ bypassed: 'true' as const })),
  time: timeRange(),
});
