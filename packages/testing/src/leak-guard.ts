/**
 * Set-up file of the integration tests: a test file that leaves processes, servers or directories
 * behind fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { findLeaks } from './leaks.ts';

/** Time for things that are being shut down. */
const PATIENCE_MS = 20_000;

let before: string[] = [];

beforeAll(() => {
  before = findLeaks();
});

// The first registered `afterAll` runs last.
afterAll(async () => {
  const deadline = Date.now() + PATIENCE_MS;
  let leaks = findNew();
  while (leaks.length > 0 && Date.now() < deadline) {
    await sleep(50);
    leaks = findNew();
  }
  if (leaks.length > 0) throw new Error(`this test file left behind: ${leaks.join(', ')}`);
});

function findNew(): string[] {
  return findLeaks().filter((leak) => !before.includes(leak));
}
