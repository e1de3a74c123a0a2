/** Automatic rescans: after an update of the database, and after the Java index arrived. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { debianImage, serveVulnerabilityDb } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { harness, startRescans, tag } from './rescans.fixture.ts';

startRescans();

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
