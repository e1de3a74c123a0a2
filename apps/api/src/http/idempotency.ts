import { createHmac } from 'node:crypto';
import type { Operation } from '@portcullis/contract';
import type { Request } from 'express';
import { fieldInvalid } from './problem.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Keyed: a plain hash of a body with a password in it could be guessed offline. */
export function idempotencyOf(
  operation: Operation,
  request: Request,
  secret: Buffer,
): { key: string; bodyHash: string } | null {
  const key = operation.idempotent ? request.get('idempotency-key') : undefined;
  if (key === undefined) return null;
  if (!KEY.test(key))
    throw fieldInvalid(
      'Idempotency-Key',
      'IDEMPOTENCY_KEY_INVALID',
      'Idempotency-Key: 1 to 255 visible ASCII characters.',
    );
  const text = JSON.stringify([operation.path, canonical(request.body)]);
  return { key, bodyHash: createHmac('sha256', secret).update(text).digest('hex') };
}

/** The order of fields makes no difference. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, inner]) => [key, canonical(inner)]);
}
