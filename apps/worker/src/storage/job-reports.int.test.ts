/** Stores full reports that are only on the disk of a worker. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import {
  createDatabase,
  type TemporaryDir,
  type TestDatabase,
  temporaryDir,
} from '@portcullis/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { jobReports, type ReportKeeper } from './job-reports.ts';

const ALL = new AbortController().signal;

let database: TestDatabase;
let store: Store;
let ownerId: string;
let dir: TemporaryDir;
let reports: ReportKeeper;

beforeAll(async () => {
  database = await createDatabase();
  store = openStore(database.url, sealer(Buffer.alloc(32, 1)));
  ownerId = (await store.users.insert({ username: 'kim', passwordHash: null })).id;
});
afterAll(async () => {
  await store?.close();
  await database?.stop();
});

beforeEach(async () => {
  dir = await temporaryDir();
  reports = jobReports({
    store,
    scannerService: {
      reportDir,
      exportReport: () => Promise.reject(new Error('nothing is converted')),
    },
    storageId: randomUUID(),
    stagingDir: dir.path,
    workDir: path.join(dir.path, 'work'),
    log: { info: () => {}, warn: () => {} },
  });
  return () => dir.remove();
});

function reportDir(jobId: string): string {
  return path.join(dir.path, jobId, 'reports');
}

async function job(): Promise<string> {
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  return (await store.jobs.insert({ ownerId, image: 'a', tag: '1', source })).id;
}

/** The files of a scan that were not stored. */
async function leftOnDisk(jobId: string, report: Buffer): Promise<void> {
  await mkdir(reportDir(jobId), { recursive: true });
  const list = [{ digest: 'sha256:a', platform: 'linux/amd64', file: 'report.json' }];
  await writeFile(path.join(reportDir(jobId), 'report.json'), report);
  await writeFile(path.join(reportDir(jobId), 'reports.json'), JSON.stringify(list));
}

const inDatabase = (jobId: string) => buffer(store.jobReports.read(jobId, 'report.json'));

it('copies reports that are only on disk, and none twice', async () => {
  const [old, scanned, without] = await Promise.all([job(), job(), job()]);
  const report = randomBytes(700_000);
  await leftOnDisk(old, report);
  await leftOnDisk(scanned, Buffer.from('on the disk'));
  await store.jobReports.replace(scanned, [
    { name: 'report.json', content: Readable.from([Buffer.from('of a later scan')]) },
  ]);
  await mkdir(path.join(dir.path, without));
  await mkdir(path.join(dir.path, 'lost+found'));
  await reports.takeOverAll(ALL);
  await reports.takeOverAll(ALL);
  expect(await store.jobReports.names(old)).toEqual(new Set(['report.json', 'reports.json']));
  expect((await inDatabase(old)).equals(report)).toBe(true);
  expect((await inDatabase(scanned)).toString()).toBe('of a later scan');
  expect(await store.jobReports.names(without)).toEqual(new Set());
});

it('stores nothing for a deleted job', async () => {
  const id = await job();
  await leftOnDisk(id, Buffer.from('a report'));
  await store.jobs.remove(id);
  await reports.takeOverAll(ALL);
  expect(await store.jobReports.existing([id])).toEqual(new Set());
});

it('for one job, also records that it has none', async () => {
  const [old, none] = await Promise.all([job(), job()]);
  await leftOnDisk(old, Buffer.from('a report'));
  await reports.takeOver(old);
  await reports.takeOver(none);
  expect((await inDatabase(old)).toString()).toBe('a report');
  expect(await store.jobReports.names(none)).toEqual(new Set(['reports.json']));
});

it('stops between two jobs where the worker ends', async () => {
  const id = await job();
  await leftOnDisk(id, Buffer.from('a report'));
  await expect(reports.takeOverAll(AbortSignal.abort())).rejects.toThrow();
  expect(await store.jobReports.existing([id])).toEqual(new Set());
});
