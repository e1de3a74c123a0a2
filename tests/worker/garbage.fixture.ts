/** What garbage.int and garbage-lost.night start, and how they look at it. */
import { createWriteLock } from '@portcullis/local-registry';
import type { MaintenanceRun } from '@portcullis/store';
import { eventually, fetchManifest, PATIENCE_MS } from '@portcullis/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Harness, openHarness } from './harness.ts';

export let harness: Harness;

export async function collect(
  options: Record<string, boolean> = {},
): Promise<MaintenanceRun | null> {
  const run = await harness.store.maintenance.request({ kind: 'gc', options, requestedBy: 'root' });
  expect(run).not.toBeNull();
  return ended();
}

export async function ended(): Promise<MaintenanceRun> {
  const latest = () => harness.store.maintenance.latest('gc');
  const run = await eventually(latest, (run) => run?.state === 'done' || run?.state === 'failed');
  if (run === null) throw new Error('no collection is recorded');
  return run;
}

export async function hasBlob(repository: string, digest: string): Promise<boolean> {
  const url = `${harness.registry.url}/v2/${repository}/blobs/${digest}`;
  return (await fetch(url, { method: 'HEAD' })).status === 200;
}

export const has = async (
  repository: string,
  { digest }: { digest: string },
  url = harness.registry.url,
) => (await fetchManifest(url, repository, digest)).status === 200;

export const unhurried = () => ({ patienceMs: PATIENCE_MS, signal: new AbortController().signal });

export function startCollector(): void {
  beforeAll(async () => {
    harness = await openHarness();
    await harness.startWorker({ REGISTRY_STORAGE: harness.registry.storageDir });
    // The lock has recorded writes since before these.
    await createWriteLock(harness.redis).needs('team/any', [`sha256:${'0'.repeat(64)}`]);
  });
  afterAll(() => harness?.[Symbol.asyncDispose]());
}
