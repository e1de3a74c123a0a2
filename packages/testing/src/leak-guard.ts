/**
 * Set-up file of the integration tests: a test file that leaves processes, servers or directories
 * behind fails.
 */
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';
import { findLeaks } from './leaks.ts';

/** Time for things that are being shut down. */
const PATIENCE_MS = 20_000;

let before: string[] = [];

beforeAll(() => {
  before = findLeaks();
});

// The first registered `afterAll` runs last.
afterAll(async () => {
  await eventually(findNew, (leaks) => leaks.length === 0, {
    describe: (leaks) => `this test file left behind: ${leaks.join(', ')}`,
    patienceMs: PATIENCE_MS,
    intervalMs: 50,
  });
});

function findNew(): string[] {
  return findLeaks().filter((leak) => !before.includes(leak));
}
