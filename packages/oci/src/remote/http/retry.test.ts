import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlessAborted } from '../../copy/concurrency.ts';
import { forbidden, rateLimited, unavailable } from '../../oci-error.ts';
import {
  backoffMs,
  DEFAULT_RETRY,
  isRetryable,
  isRetryableStatus,
  nextWaitMs,
  parseRetryAfter,
  pause,
  policyAfter,
} from './retry.ts';

describe('a retry', () => {
  it.each([
    [unavailable('REGISTRY_UNREACHABLE', ''), true],
    [rateLimited('REGISTRY_RATE_LIMITED', ''), true],
    [unavailable('REGISTRY_TLS_FAILED', ''), false],
    [unavailable('REDIRECT_REFUSED', ''), false],
    [forbidden('EGRESS_REFUSED', ''), false],
    [new Error('a bug'), false],
  ])('after %s: %s', (error, expected) => expect(isRetryable(error)).toBe(expected));

  it.each([
    [200, false],
    [401, false],
    [404, false],
    [429, true],
    [500, true],
    [501, false],
    [503, true],
  ])('after %d: %s', (status, expected) => expect(isRetryableStatus(status)).toBe(expected));

  it.each([
    [unavailable('REGISTRY_SILENT', ''), 1],
    [unavailable('REGISTRY_TOO_SLOW', ''), 1],
    [unavailable('REGISTRY_UNREACHABLE', ''), DEFAULT_RETRY.retries],
  ])('after %s at most %i times', (error, retries) =>
    expect(policyAfter(error, DEFAULT_RETRY).retries).toBe(retries),
  );

  it('waits longer each time, up to a limit, with jitter', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const ceiling = Math.min(DEFAULT_RETRY.maxMs, DEFAULT_RETRY.baseMs * 2 ** attempt);
        const wait = backoffMs(attempt, DEFAULT_RETRY, random);
        expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
        expect(wait).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  it('honours Retry-After, in both forms, unless it is too long', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(parseRetryAfter('7', now)).toBe(7);
    expect(parseRetryAfter('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9);
    expect(parseRetryAfter('soon', now)).toBeUndefined();
    expect(nextWaitMs(0, DEFAULT_RETRY, 30)).toBe(30_000);
    expect(nextWaitMs(0, DEFAULT_RETRY, 3600)).toBeUndefined();
    expect(nextWaitMs(DEFAULT_RETRY.retries, DEFAULT_RETRY)).toBeUndefined();
  });

  it('ends with the wait when it is aborted', async () => {
    const reason = new Error('cancelled');
    await expect(pause(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = unlessAborted(new Promise(() => undefined), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});
