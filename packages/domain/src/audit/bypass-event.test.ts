import { expect, it } from 'vitest';
import { isBypassEvent } from './bypass-event.ts';

const BYPASS = { outcome: 'allowed', because: 'bypass', code: 'VULN_BLOCKED' };
const PASSES = { outcome: 'allowed', because: 'passes', code: null };
const done = (event: string, detail: Record<string, unknown>) => ({
  event,
  outcome: 'success' as const,
  detail,
});

it.each([
  ['a push of a job', done('staging.pushed', { decision: BYPASS }), true],
  ['a pull of a job', done('staging.pulled', { decision: BYPASS }), true],
  ['a pull over /v2', done('image.pulled_blocked', { decision: BYPASS }), true],
  ['a copy of two images', done('image.copy', { decisions: [PASSES, BYPASS] }), true],
  ['another tag', done('image.retag', { decisions: [BYPASS] }), true],
  ['a push that passes', done('staging.pushed', { decision: PASSES }), false],
  [
    'a pull in a grace period',
    done('image.pulled_blocked', { decision: { because: 'grace' } }),
    false,
  ],
  [
    'a pull that a folder only reports',
    done('image.pulled_blocked', { decision: { because: 'mode' } }),
    false,
  ],
  ['a request, whose end is another event', done('staging.push', { decision: BYPASS }), false],
  [
    'a push that failed',
    { ...done('staging.pushed', { decision: BYPASS }), outcome: 'failure' as const },
    false,
  ],
  ['an event without a decision', done('folder.update', { because: 'bypass' }), false],
  [
    'a decision of another form',
    done('image.copy', { decision: 'bypass', decisions: BYPASS }),
    false,
  ],
])('%s is of a bypass, or not', (_, event, expected) => {
  expect(isBypassEvent(event)).toBe(expected);
});
