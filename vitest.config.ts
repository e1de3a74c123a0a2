import { defineConfig } from 'vitest/config';

const shared = { environment: 'node' as const, restoreMocks: true };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tests/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.int.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          sequence: { groupOrder: 1 }, // after the unit tests: the two differ in their workers
          setupFiles: ['packages/testing/src/leak-guard.ts'],
          globalSetup: ['packages/testing/src/global-setup.ts'],
          include: ['packages/**/*.int.test.ts', 'apps/**/*.int.test.ts', 'tests/**/*.int.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 60_000,
          // Two cores may be busy with more than this; who means a second says so.
          expect: { poll: { timeout: 5_000 } },
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
