/** What scans found on each day in a folder, for accounts that may pull from it. */

import type { FindingDay } from '@portcullis/contract';
import { DEFAULT_POLICY, judge, type Severity } from '@portcullis/domain';
import { json } from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';
import { reportWith } from '../../registry/gate/report.fixture.ts';

let api: TestApi;
let admin: Client;
let ann: Client;
let annId: string;
let rootId: string;
let app: string;

/** Midnight may pass while the tests run. */
const NOW = Date.now();
const NONE = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };

beforeAll(async () => {
  api = await startApi();
  rootId = await api.account('root', { isAdmin: true });
  annId = await api.account('ann');
  await api.grant(annId, 'team', { canPull: true });
  await api.store.folders.insertFolder({ name: 'secret' });
  app = await scanned('team/app', daysAgo(2, 9), 'CRITICAL');
  await scanned('team/web', daysAgo(2, 9), 'HIGH');
  await scanned('secret/app', daysAgo(2, 9), 'MEDIUM');
  await scanned('stray/app', daysAgo(2, 9), 'LOW');
  await scanned('team/old', daysAgo(40, 9), 'LOW');
  await scannedByJob(rootId, app, daysAgo(5, 9), ['HIGH', 'LOW']);
  await scannedByJob(rootId, app, daysAgo(2, 6), ['UNKNOWN']);
  await scannedByJob(annId, `sha256:${'e'.repeat(64)}`, daysAgo(1, 9), ['HIGH']);
  [admin, ann] = [await api.as('root'), await api.as('ann')];
});
afterAll(() => api?.stop());

function daysAgo(days: number, hour: number): Date {
  const at = new Date(NOW - days * 86_400_000);
  at.setUTCHours(hour, 0, 0, 0);
  return at;
}

const reportOf = (severities: readonly Severity[]) =>
  reportWith(severities.map((severity, n) => ({ id: `CVE-2026-${n}`, severity })));

/** Returns the digest. */
async function scanned(repository: string, at: Date, severity: Severity): Promise<string> {
  const digest = `sha256:${Buffer.from(repository).toString('hex').padStart(64, '0')}`;
  await api.store.images.record({ repository, tag: '1', digest, manifests: [], at });
  await api.store.reports.record({ digest, report: reportOf([severity]), scannedAt: at });
  return digest;
}

/** As a worker leaves a job. */
async function scannedByJob(
  ownerId: string,
  digest: string,
  at: Date,
  found: readonly Severity[],
): Promise<void> {
  const source = { kind: 'host', registryId: null, host: 'example.org' } as const;
  const { id } = await api.store.jobs.insert({ ownerId, image: 'a', tag: '1', source });
  await api.store.jobs.update(id, (job) => ({
    ...stagedAs('findings')(job),
    digest,
    vulnResult: judge(reportOf(found), DEFAULT_POLICY, job.overrides).result,
    timeline: [...job.timeline, { at, status: 'scanning', kind: 'status_changed' }],
  }));
}

async function daysOf(client: Client, folder: string, query = ''): Promise<FindingDay[]> {
  const { per_day: days } = await json(client.get(`/api/folders/${folder}/trend${query}`));
  expect(days).toHaveLength(30);
  return days.filter(({ images }: FindingDay) => images > 0);
}

const day = (at: Date, images: number, found: Partial<typeof NONE>) => ({
  ...{ day: at.toISOString().slice(0, 10), images, by_severity: { ...NONE, ...found } },
});

it('are the scans of its tagged images alone, whichever account requested them, each image once a day', async () => {
  expect(await daysOf(ann, 'team')).toEqual([
    day(daysAgo(5, 9), 1, { HIGH: 1, LOW: 1 }),
    day(daysAgo(2, 9), 2, { CRITICAL: 1, HIGH: 1 }),
  ]);
});

it('are those of one repository', async () => {
  expect(await daysOf(ann, 'team', '?repository=team/app')).toEqual([
    day(daysAgo(5, 9), 1, { HIGH: 1, LOW: 1 }),
    day(daysAgo(2, 9), 1, { CRITICAL: 1 }),
  ]);
});

it('are none of a repository of another folder, also for an administrator', async () => {
  expect(await daysOf(ann, 'team', '?repository=secret/app')).toEqual([]);
  expect(await daysOf(admin, 'team', '?repository=secret/app')).toEqual([]);
  expect(await daysOf(admin, 'secret', '?repository=secret/app')).toHaveLength(1);
});

it('of repositories in no folder are read in the folder __root__', async () => {
  expect(await daysOf(admin, '__root__')).toEqual([day(daysAgo(2, 9), 1, { LOW: 1 })]);
  expect(await codeOf(ann.get('/api/folders/__root__/trend'))).toEqual([404, 'FOLDER_UNKNOWN']);
});
