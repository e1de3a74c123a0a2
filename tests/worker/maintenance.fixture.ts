/** What maintenance.int and maintenance.night start, and how they look at it. */
import type { MaintenanceRun } from '@portcullis/store';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export const latest = () => harness.store.maintenance.latest('gc');

export async function request(): Promise<MaintenanceRun> {
  const runRequest = { kind: 'gc', options: { dryRun: true }, requestedBy: 'root' } as const;
  const run = await harness.store.maintenance.request(runRequest);
  if (!run) throw new Error('a run is open');
  return run;
}

export function startMaintained(): void {
  beforeAll(async () => {
    harness = await openHarness();
  });
  afterAll(() => harness?.[Symbol.asyncDispose]());
}
