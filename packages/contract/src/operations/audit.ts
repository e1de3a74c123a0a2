/** The audit log. */
import { z } from 'zod';
import { Moment, PAGING, Time } from '../common.ts';
import type { Contract } from '../operation.ts';

export const AUDIT_OUTCOMES = ['success', 'denied', 'failure'] as const;

export const AuditEvent = z.strictObject({
  id: z.string(),
  at: Time,
  /** What was done: `image.push`, `auth.login`. */
  event: z.string(),
  outcome: z.enum(AUDIT_OUTCOMES),
  actor: z.strictObject({
    id: z.string().nullable(),
    name: z.string(),
    /** `none`: the caller was not authenticated, as in a failed login. */
    auth: z.enum(['session', 'token', 'basic', 'oidc', 'system', 'none']),
    token_id: z.string().optional(),
    /** Of a robot: the group that owns it, or `administrators`. */
    robot_of: z.string().optional(),
  }),
  action: z.string(),
  resource: z
    .strictObject({
      kind: z.string(),
      id: z.string().nullable(),
      name: z.string().nullable(),
      folder: z.string().optional(),
    })
    .nullable(),
  client_ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.number().int().nullable(),
  duration_ms: z.number().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditFilter = z.strictObject({
  /** A username. */
  actor: z.string().min(1).max(255).optional(),
  event: z.string().min(1).max(100).optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  bypassed: z
    .literal('true')
    .optional()
    .describe('Only images that the policy blocks, and that an account could let through.'),
  /** Inclusive. */
  since: Moment.optional(),
  /** Exclusive. */
  until: Moment.optional(),
  /** Whole words, all of which must occur in the event; `team/app:1.2` counts as one word. */
  q: z.string().min(1).max(500).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const audit = {
  listAudit: {
    method: 'get',
    path: '/system/audit',
    summary:
      'Audit events, newest first. A page of a search may be short or empty although there is a next page',
    access: 'admin',
    query: AuditFilter.extend(PAGING),
    success: { status: 200, body: z.array(AuditEvent) },
  },
  exportAudit: {
    method: 'get',
    path: '/system/audit/export',
    summary: 'All audit events that match the filter, newest first, one JSON document per line',
    access: 'admin',
    audit: 'audit.export',
    query: AuditFilter,
    success: { status: 200, mediaTypes: ['application/jsonl'] },
  },
} as const satisfies Contract;
