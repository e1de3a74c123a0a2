/** The product's worker in operation, for the rows that do not start a process. */
import { glob, rm } from 'node:fs/promises';
import path from 'node:path';
import { pushImage, randomImage } from '@portcullis/testing';
import { openHarness } from '../../../tests/worker/harness.ts';
import { costOf } from '../cpu.ts';
import { openEndedJobs } from '../ended-jobs.ts';
import type { Cost } from '../figures.ts';
import type { End } from './ends.ts';

export interface RunningWorker extends AsyncDisposable {
  /** From the request of a job until it is staged, without a scan. */
  pull(repository: string): Promise<Cost & { jobId: string }>;
  /** From the request until the job is pushed to the local registry, whose storage it has. */
  push(jobId: string, repository: string): Promise<Cost>;
  /** Removes what it has pulled from its disk. */
  forget(): Promise<void>;
}

/** The defaults of the product, where those of tests cost CPU. */
export const DELIVERED_SETTINGS = { LOG_LEVEL: 'info', SWEEP_SECONDS: '10' };

export async function startRunningWorker(source: End): Promise<RunningWorker> {
  const harness = await openHarness({ asDelivered: true });
  const jobs = await openEndedJobs(harness.databaseUrl);
  // The registry creates its directories with its first push.
  await pushImage(harness.registry.url, 'bench/first', '1', await randomImage());
  const { pid } = await harness.startWorker({
    ...DELIVERED_SETTINGS,
    REGISTRY_STORAGE: harness.registry.storageDir,
  });
  const { id: registryId } = await harness.store.registries.insert({
    name: 'source',
    host: source.host,
    useTls: source.ca !== undefined,
    caCert: source.ca ?? null,
  });

  async function waitUntilSettled(jobId: string, wanted: 'staged' | 'pushed'): Promise<void> {
    await jobs.wait({ by: 'id', id: jobId, count: 1, ends: [wanted] });
    const { status, error } = await harness.store.jobs.get(jobId);
    if (status !== wanted) throw new Error(`${status}: ${JSON.stringify(error)}`);
  }

  return {
    async pull(repository) {
      const from = { kind: 'registry', registryId, host: source.host } as const;
      let jobId = '';
      const cost = await costOf(pid, async () => {
        const wanted = { image: repository, tag: 'v1', host: source.host, source: from };
        jobId = (await harness.submit(wanted)).id;
        await waitUntilSettled(jobId, 'staged');
      });
      return { ...cost, jobId };
    },
    push: (jobId, repository) =>
      costOf(pid, async () => {
        await harness.push(jobId, { repository, tag: 'v1' });
        await waitUntilSettled(jobId, 'pushed');
      }),
    async forget() {
      const cache = path.join(harness.dataDir, 'cache');
      for await (const file of glob(['blobs/*/*', 'staging/*'], { cwd: cache }))
        await rm(path.join(cache, file), { recursive: true, force: true });
    },
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}
