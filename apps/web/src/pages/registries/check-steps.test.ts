import { expect, it } from 'vitest';
import { stepsOf } from './check-steps.ts';

it.each([
  [false, false, false, ['failed', 'skipped', 'skipped']],
  [true, false, false, ['passed', 'failed', 'skipped']],
  [true, true, false, ['passed', 'passed', 'optional']],
  [true, true, true, ['passed', 'passed', 'passed']],
] as const)(
  'reachable %s, authenticated %s, catalog %s: %j',
  (reachable, authenticated, catalog, states) => {
    const check = { reachable, authenticated, catalog, code: null, message: '', latency_ms: 1 };
    expect(stepsOf(check).map(({ state }) => state)).toEqual(states);
  },
);
