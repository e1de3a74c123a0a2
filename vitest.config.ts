/** Defines the projects of tests: docs/tests.md says which test is in which. */
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './packages/testing/src/eventually.ts';
import { LongestFirst } from './packages/testing/src/longest-first.ts';

const shared = {
  environment: 'node' as const,
  // A worker evaluates the modules under test once, not for each file, which took half of the
  // processor's time. No test mocks a module or changes what one keeps.
  isolate: false,
  restoreMocks: true,
  expect: { poll: { timeout: PATIENCE_MS } },
  // A test that waits in vain fails by its poll, which says what for.
  testTimeout: 5 * PATIENCE_MS,
  hookTimeout: 5 * PATIENCE_MS,
};

const named = (lane: string) =>
  ['packages', 'apps', 'tests'].map((top) => `${top}/**/*.${lane}.test.ts`);

/** On real servers, and free of leaks. */
const withServers = {
  ...shared,
  sequence: { groupOrder: 1 },
  setupFiles: ['packages/testing/src/leak-guard.ts'],
  globalSetup: ['packages/testing/src/global-setup.ts'],
  exclude: ['**/node_modules/**'],
  // Tests wait for leases, clients and pages: three leave a fifth of two cores idle.
  maxWorkers: 4,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Runs of several projects at once would write the same file.
    cache: false,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.{int,night,containers}.test.ts'],
        },
      },
      {
        // Of each change, after the unit tests: the two differ in their workers.
        test: { ...withServers, name: 'integration', include: named('int') },
      },
      {
        // What no change waits for: docs/tests.md says which and why.
        test: { ...withServers, name: 'night', include: named('night') },
      },
      {
        // On images that were built: `npm run compose` and `npm run kube` name them, nothing else does.
        test: {
          ...shared,
          name: 'containers',
          sequence: { groupOrder: 2 },
          globalSetup: ['packages/testing/src/global-setup.ts'],
          include: process.env.PRODUCT === undefined ? [] : ['tests/**/*.containers.test.ts'],
          exclude: ['**/node_modules/**'],
          maxWorkers: 1,
        },
      },
    ],
  },
});
