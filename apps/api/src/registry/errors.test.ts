import type { Request, Response } from 'express';
import { expect, it, vi } from 'vitest';
import { ociError, sendError } from './errors.ts';

const request = { method: 'GET', path: '/v2/team/app/manifests/1' } as unknown as Request;
const ABORTED = new DOMException('This operation was aborted', 'AbortError');

function sent(response: object, error: unknown) {
  const log = { error: vi.fn() };

  const reply = { headersSent: true, destroy() {}, ...response } as unknown as Response;
  sendError(request, reply, error, log);
  return log.error.mock.calls.length;
}

it.each<[string, object, unknown, number]>([
  ['what ended because the client left is no failure', { destroyed: true }, ABORTED, 0],
  ['an end while the client waits is one', { destroyed: false }, ABORTED, 1],
  ['another fault is one, though the client left', { destroyed: true }, new Error('broken'), 1],
])('%s', (_, response, error, logged) => {
  expect(sent(response, error)).toBe(logged);
});

it('a registry that does not answer in time is unavailable, and no fault of the door', async () => {
  const signal = AbortSignal.timeout(0);
  await expect.poll(() => signal.aborted).toBe(true);
  expect(ociError(signal.reason)).toMatchObject({
    status: 503,
    retryAfter: 5,
    body: { errors: [{ code: 'UNAVAILABLE' }] },
  });
});
