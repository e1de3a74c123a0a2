/**
 * Set-up file of the integration tests: a test file that leaves processes, servers or directories
 * behind fails.
 */
import { afterAll, beforeAll } from 'vitest';
import { eventually } from './eventually.ts';
import { findLeaks } from './leaks.ts';

let before: string[] = [];

beforeAll(() => {
  before = findLeaks();
});

// The first registered `afterAll` runs last.
afterAll(async () => {
  await eventually(findNew, (leaks) => leaks.length === 0, {
    describe: (leaks) => `this test file left behind: ${leaks.join(', ')}`,
    intervalMs: 50,
  });
});

function findNew(): string[] {
  return findLeaks().filter((leak) => !before.includes(leak));
}
