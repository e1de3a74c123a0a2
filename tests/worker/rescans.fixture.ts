/** What rescans.int and rescans.night start, and how they look at it. */
import { pushImage, serveVulnerabilityDb, type TestImage } from '@portcullis/testing';
import { afterAll, beforeAll } from 'vitest';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

const YESTERDAY = { UpdatedAt: '2026-01-01T00:00:00Z', NextUpdate: '2026-01-02T00:00:00Z' };

export let harness: Harness;

export async function tag(repository: string, image: TestImage): Promise<void> {
  await pushImage(harness.registry.url, repository, '1', image);
  await harness.store.images.record({
    repository,
    tag: '1',
    digest: image.digest,
    manifests: [],
    at: new Date(),
  });
}

export function startRescans(): void {
  beforeAll(async () => {
    harness = await openHarness();
    await provideTrivy(harness);
    await harness.startWorker({
      TRIVY_ENABLED: 'true',
      // 36 seconds: the download of the index is retried soon after its registry lacked it.
      TRIVY_DB_UPDATE_HOURS: '0.01',
      TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(harness.registry.url, {
        isEarlier: true,
        metadata: YESTERDAY,
      }),
    });
  });
  afterAll(() => harness?.[Symbol.asyncDispose]());
}
