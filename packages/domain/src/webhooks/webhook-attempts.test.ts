import { expect, it } from 'vitest';
import { decideWebhook } from './webhook-attempts.ts';

const NOW = new Date('2026-11-24T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const answer = (status: number | null, retryAfterMs: number | null = null) => ({
  status,
  retryAfterMs,
});
const fresh = { attempts: 1, createdAt: NOW, failingSince: null };

it.each([200, 201, 204, 299])('%i is delivered', (status) => {
  expect(decideWebhook(answer(status), fresh, NOW)).toEqual({ kind: 'delivered' });
});

it.each([null, 199, 301, 400, 404, 429, 500])('%s is tried again after five seconds', (status) => {
  expect(decideWebhook(answer(status), fresh, NOW)).toEqual({
    kind: 'again',
    at: ago(-5_000),
    failingSince: NOW,
  });
});

it.each([
  [1, null, 5_000],
  [2, null, 10_000],
  [5, null, 80_000],
  [11, null, HOUR],
  [400, null, HOUR],
  [1, 60_000, 60_000],
  [5, 1_000, 80_000],
  [1, DAY, HOUR],
])('after attempt %i, asked for %s ms, the pause is %i ms', (attempts, wanted, pause) => {
  const decision = decideWebhook(answer(503, wanted), { ...fresh, attempts }, NOW);
  expect(decision).toMatchObject({ kind: 'again', at: ago(-pause) });
});

it.each([
  [{ createdAt: ago(DAY), failingSince: ago(HOUR) }, 'given_up'],
  [{ createdAt: ago(DAY - 1), failingSince: ago(HOUR) }, 'again'],
  [{ createdAt: NOW, failingSince: ago(DAY) }, 'disable'],
  [{ createdAt: NOW, failingSince: ago(DAY - 1) }, 'again'],
])('a failure at %o is %s', (state, kind) => {
  expect(decideWebhook(answer(500), { ...fresh, ...state }, NOW).kind).toBe(kind);
});

it('410 disables the endpoint at once, and a success never does', () => {
  expect(decideWebhook(answer(410), fresh, NOW)).toMatchObject({ kind: 'disable', reason: 'gone' });
  const late = { ...fresh, createdAt: ago(2 * DAY), failingSince: ago(2 * DAY) };
  expect(decideWebhook(answer(200), late, NOW)).toEqual({ kind: 'delivered' });
});
