/** Finds the audit events of what the gate refuses and a privilege allowed. */
import { isRecord } from '../is-record.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditEventName } from './audit-events.ts';

/** The event of their end says what happened. */
const REQUESTS: readonly string[] = ['staging.pull', 'staging.push'] satisfies AuditEventName[];

/** Whether an image was pulled, pushed or copied although the policy blocks it for others. */
export function isBypassEvent({
  event,
  outcome,
  detail,
}: Pick<AuditEvent, 'event' | 'outcome' | 'detail'>): boolean {
  if (outcome !== 'success' || REQUESTS.includes(event)) return false;
  return eventDecisions(detail).some(({ because }) => because === 'bypass');
}

/** The decisions of the gate in an event: of one image, or of several that were copied. */
export function eventDecisions({
  decision,
  decisions,
}: AuditEvent['detail']): Record<string, unknown>[] {
  return [decision, ...(Array.isArray(decisions) ? decisions : [])].filter(isRecord);
}
