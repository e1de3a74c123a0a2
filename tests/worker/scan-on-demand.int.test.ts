import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { recent } from '@portcullis/events';
import { forRequest } from '@portcullis/runtime';
import type { ImageScan } from '@portcullis/store';
import {
  debianImage,
  eventually,
  openSql,
  pushImage,
  serveVulnerabilityDb,
  startRegistry,
  type TestImage,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, openHarness, provideTrivy } from './harness.ts';

let harness: Harness;
let image: TestImage;

beforeAll(async () => {
  harness = await openHarness();
  await provideTrivy(harness);
  image = await debianImage();
  await pushImage(harness.registry.url, 'team/app', '1', image);
  await harness.store.images.record({
    repository: 'team/app',
    tag: '1',
    digest: image.digest,
    manifests: [],
    at: new Date(),
  });
  await harness.startWorker({
    TRIVY_ENABLED: 'true',
    TRIVY_DB_REPOSITORY: await serveVulnerabilityDb(harness.registry.url),
  });
});
afterAll(() => harness?.[Symbol.asyncDispose]());

async function scanned(repository: string, requestedById: string): Promise<ImageScan | null> {
  const place = { registryId: '__local__', repository, reference: '1', digest: image.digest };
  const { id } = await forRequest('ticket-4711', () =>
    harness.store.scans.insert({ ...place, requestedById, state: 'queued' }),
  );
  return eventually(
    () => harness.store.scans.find(id),
    (scan) => scan?.state === 'done' || scan?.state === 'failed',
  );
}

it('an image is pulled and scanned; its findings are stored by digest and can be searched', async () => {
  expect(await scanned('team/app', harness.admin.id)).toMatchObject({ state: 'done', error: null });
  const stored = await harness.store.reports.find(image.digest);
  expect(stored?.report.vulnerabilities.length).toBeGreaterThan(0);
  const { items } = await harness.store.reports.search({ folders: 'all', package: 'openssl' });
  expect(items[0]).toMatchObject({ repository: 'team/app', tags: ['1'], digest: image.digest });
  // The layout was for the scan only and is removed.
  expect(await readdir(path.join(harness.dataDir, 'cache', 'scans'))).toEqual([]);
  // The entry of the queue is for any scan; the row has the request.
  const events = async () =>
    (await recent(harness.redis, 100)).map(({ event, request_id }) => [event, request_id]);
  await expect.poll(events).toContainEqual(['trivy.scanned', 'ticket-4711']);
});

it('a right that was revoked since the request ends the scan', async () => {
  const scan = await scanned('team/app', harness.alice.id);
  expect(scan).toMatchObject({ state: 'failed', error: { code: 'FOLDER_FORBIDDEN' } });
});

it('a scan of the pipeline is found by the search, too', async () => {
  await using source = await startRegistry();
  await pushImage(source.url, 'lib/staged', '1', await debianImage({ more: [{ x: 'staged' }] }));
  const job = await harness.submit({ image: 'lib/staged', tag: '1', host: source.host });
  const settled = await harness.settled(job.id);
  expect(settled).toMatchObject({ status: 'staged' });
  const stored = await harness.store.reports.find(settled.digest ?? '');
  expect(stored?.report.vulnerabilities.length).toBe(settled.vulnResult?.total);
});

it('a scan that killed its worker six times fails, and is not claimed again', async () => {
  const { id } = await harness.store.scans.insert({
    registryId: '__local__',
    repository: 'team/app',
    reference: '1',
    digest: image.digest,
    requestedById: harness.admin.id,
    state: 'done',
  });
  const sql = await openSql(harness.databaseUrl);
  // As a worker leaves the row that died during the sixth attempt: running, with an expired lease.
  await sql.query(
    `UPDATE image_scans SET state = 'running', attempts = 6, tries = 6, finished_at = NULL,
            lease_until = now() - interval '1 second' WHERE id = '${id}'`,
  );
  await sql.end();
  await expect
    .poll(() => harness.store.scans.find(id), { interval: 200 })
    .toMatchObject({ state: 'failed', attempts: 7, error: { code: 'TOO_MANY_TRIES' } });
});

it('a requested update of the database runs even when none is due, and reports its outcome', async () => {
  await harness.store.maintenance.request({ kind: 'scanner-db', options: {}, requestedBy: 'root' });
  await expect
    .poll(() => harness.store.maintenance.latest('scanner-db'), { interval: 200 })
    .toMatchObject({ state: 'done', error: null, requestedBy: 'root' });
});
