/** Retry policy: exponential backoff with jitter, at least `Retry-After`. */
import { setTimeout as delay } from 'node:timers/promises';
import { isOciError, type OciError } from '../../oci-error.ts';

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number;
  baseMs: number;
  maxMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 4, baseMs: 400, maxMs: 20_000 };

/**
 * A longer `Retry-After` is returned to the caller instead of holding a connection slot that long.
 */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Errors that a retry cannot solve. */
const LASTING = new Set(['REGISTRY_TLS_FAILED', 'REGISTRY_ANSWER_INVALID', 'REDIRECT_REFUSED']);

export function isRetryable(error: unknown): error is OciError {
  if (!isOciError(error) || LASTING.has(error.code)) return false;
  return error.kind === 'unavailable' || error.kind === 'rate_limited';
}

export function isRetryableStatus(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Errors that take a whole timeout to occur. */
const COSTLY = new Set(['REGISTRY_SILENT', 'REGISTRY_TOO_SLOW']);

export function isTimeoutFault({ code }: Pick<OciError, 'code'>): boolean {
  return COSTLY.has(code);
}

/** At most one retry after a timeout: another address or connection may work. */
export function policyAfter(fault: OciError, policy: RetryPolicy): RetryPolicy {
  return isTimeoutFault(fault) ? { ...policy, retries: Math.min(1, policy.retries) } : policy;
}

/**
 * Jitter over the upper half of the delay, so that clients that failed together do not retry
 * together.
 */
export function backoffMs(
  attempt: number,
  policy: Pick<RetryPolicy, 'baseMs' | 'maxMs'>,
  random: number,
): number {
  const ceiling = Math.min(policy.maxMs, policy.baseMs * 2 ** attempt);
  return ceiling / 2 + (ceiling / 2) * random;
}

/** Seconds from either form of `Retry-After` (RFC 9110 § 10.2.3). */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

/** Delay before the next attempt; undefined if there should be none. */
export function nextWaitMs(
  attempt: number,
  policy: RetryPolicy,
  retryAfter?: number,
): number | undefined {
  if (attempt >= policy.retries || (retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS) return undefined;
  return Math.max((retryAfter ?? 0) * 1000, backoffMs(attempt, policy, Math.random()));
}

/** Waits, or rejects with the signal's reason. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, signal ? { signal } : {});
  } catch {
    signal?.throwIfAborted();
  }
}
