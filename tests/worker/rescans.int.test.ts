/** Automatic rescans: after an update of the database, and after the Java index arrived. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  buildImage,
  debianFiles,
  debianImage,
  PATIENCE_MS,
  pushImage,
  serveJavaDb,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
  WIDGET_JAR,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

const YESTERDAY = { UpdatedAt: '2026-01-01T00:00:00Z', NextUpdate: '2026-01-02T00:00:00Z' };

let harness: Harness;

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

async function tag(repository: string, image: TestImage): Promise<void> {
  await pushImage(harness.registry.url, repository, '1', image);
  await harness.store.images.record({
    repository,
    tag: '1',
    digest: image.digest,
    manifests: [],
    at: new Date(),
  });
}

async function idsIn(digest: string): Promise<string[]> {
  const stored = await harness.store.reports.find(digest);
  return stored?.report.vulnerabilities.map(({ id }) => id) ?? [];
}

it('S4d: after an update of the database a tagged image is scanned again automatically, with the new findings', async () => {
  const image = await debianImage({ packages: [{ name: 'sudo', version: '1.9.13p3-1' }] });
  await tag('team/app', image);
  const place = {
    registryId: '__local__',
    repository: 'team/app',
    reference: '1',
    digest: image.digest,
  };
  await harness.store.scans.insert({ ...place, requestedById: harness.admin.id, state: 'queued' });
  await expect.poll(() => harness.store.reports.find(image.digest)).not.toBeNull();
  expect(await idsIn(image.digest)).toEqual([]);

  await serveVulnerabilityDb(harness.registry.url);
  await harness.store.maintenance.request({ kind: 'scanner-db', options: {}, requestedBy: 'root' });
  await expect.poll(() => idsIn(image.digest)).toEqual(['CVE-2099-0011']);
  await expect
    .poll(() =>
      harness.store.rescans.progress({ dbUpdatedAt: new Date('2026-01-03'), javaSince: null }),
    )
    .toEqual({ done: 1, left: 0, failed: 0 });
  await expect.poll(() => readdir(path.join(harness.dataDir, 'cache', 'scans'))).toEqual([]);
});

it('S9: a staged job without the index of Java archives is scanned again automatically when that arrives', async () => {
  await using source = await startRegistry();
  const tzdata = [{ name: 'tzdata', version: '2024a-0' }];
  const layers = [debianFiles(tzdata), { 'app/by-hash.jar': WIDGET_JAR }];
  await pushImage(source.url, 'lib/java', '1', await buildImage({ layers }));
  const job = await harness.submit({ image: 'lib/java', tag: '1', host: source.host });
  expect(await harness.settled(job.id)).toMatchObject({
    status: 'staged',
    verdict: 'unscannable',
    vulnResult: { gaps: [{ kind: 'java_index_missing', archives: ['app/by-hash.jar'] }] },
  });
  // Beside the database of TRIVY_DB_REPOSITORY.
  await serveJavaDb(harness.registry.url);
  await expect
    .poll(async () => (await harness.store.jobs.find(job.id))?.verdict, {
      timeout: 2 * PATIENCE_MS,
    })
    .toBe('blocked');
  expect(await harness.settled(job.id)).toMatchObject({
    status: 'staged',
    vulnResult: { coverage: 'full' },
  });
});
