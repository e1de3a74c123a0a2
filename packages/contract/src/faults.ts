/**
 * The faults that an operation may answer with: its own, and those that all operations of its kind
 * share.
 */
import { z } from 'zod';
import type { Fault, Operation } from './operation.ts';

/** Codes by status. A status without codes has the body of a success. */
export type Faults = ReadonlyMap<number, readonly string[]>;

export function faultsOf(operation: Operation): Faults {
  const all = new Map<number, string[]>();
  for (const { status, codes } of [...commonFaults(operation), ...(operation.faults ?? [])]) {
    const known = all.get(status) ?? [];
    all.set(status, [...new Set([...known, ...codes])]);
  }
  return new Map([...all].sort(([a], [b]) => a - b));
}

function commonFaults(operation: Operation): Fault[] {
  return [
    { status: 400, codes: ['REQUEST_MALFORMED'] },
    ...accessFaults(operation),
    ...inputFaults(operation),
    ...(operation.probe ? [] : [{ status: 429, codes: ['RATE_LIMITED'] }]),
    ...(operation.costly ? [{ status: 429, codes: ['COSTLY_REQUESTS_MANY'] }] : []),
    { status: 500, codes: ['INTERNAL'] },
    ...(operation.probe ? [] : [{ status: 503, codes: OUTAGES }]),
  ];
}

const OUTAGES = [
  'DATABASE_READ_ONLY',
  'DATABASE_UNAVAILABLE',
  'DISK_FULL',
  'EVENTS_UNAVAILABLE',
  'QUEUE_UNAVAILABLE',
  'REDIS_FULL',
  'REDIS_UNAVAILABLE',
];

function accessFaults({ access, method, beforePasswordChange }: Operation): Fault[] {
  const forbidden = [
    ...(access === 'public' || beforePasswordChange ? [] : ['PASSWORD_CHANGE_REQUIRED']),
    ...(access === 'admin' ? ['ADMIN_ONLY'] : []),
    ...(access === 'user' ? ['TOKEN_ACTION'] : []),
    ...(method === 'get' ? [] : ['CROSS_ORIGIN']),
  ];
  const unknown = ['CREDENTIAL_MISSING', 'CREDENTIAL_UNSUPPORTED', 'TOKEN_INVALID', 'TOKEN_SCOPE'];
  return [
    ...(access === 'public' ? [] : [{ status: 401, codes: unknown }]),
    ...(forbidden.length > 0 ? [{ status: 403, codes: forbidden }] : []),
  ];
}

/**
 * An operation that declares no query accepts no parameters. Probes and the redirects of a login
 * are exceptions, because monitoring systems and identity providers add parameters.
 */
export function querySchemaOf({ query, probe, success }: Operation): z.ZodType | undefined {
  return query ?? (probe || 'faultsTo' in success ? undefined : NO_QUERY);
}

const NO_QUERY = z.strictObject({});

function inputFaults(operation: Operation): Fault[] {
  const { params, query, body, idempotent } = operation;
  const fields = [
    ...(querySchemaOf(operation) || body ? ['VALIDATION_FAILED'] : []),
    ...(query instanceof z.ZodObject && 'cursor' in query.shape ? ['CURSOR_INVALID'] : []),
    ...(idempotent ? ['IDEMPOTENCY_KEY_INVALID'] : []),
  ];
  return [
    ...(params ? [{ status: 404, codes: ['NOT_FOUND'] }] : []),
    ...(body ? BODY_FAULTS : []),
    ...(fields.length > 0 ? [{ status: 422, codes: fields }] : []),
  ];
}

const BODY_FAULTS: Fault[] = [
  { status: 400, codes: ['BODY_UNPARSABLE'] },
  { status: 413, codes: ['BODY_TOO_LARGE'] },
  { status: 415, codes: ['MEDIA_TYPE_UNSUPPORTED', 'ENCODING_UNSUPPORTED', 'CHARSET_UNSUPPORTED'] },
];
