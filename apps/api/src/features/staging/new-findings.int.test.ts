/** `GET /staging/jobs/{job_id}/findings/new`: what a job is compared with, for each account. */

import { DEFAULT_POLICY, judge, type ScanReport, type StagingJob } from '@portcullis/domain';
import type { NewJob } from '@portcullis/store';
import { json } from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, codeOf, stagedAs, startApi, type TestApi } from '../../api.fixture.ts';

let api: TestApi;
let ids: Record<'ada' | 'bob', string>;
let root: Client;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  api = await startApi();
  await api.account('root', { isAdmin: true });
  ids = { ada: await api.account('ada'), bob: await api.account('bob') };
  [root, ada, bob] = [await api.as('root'), await api.as('ada'), await api.as('bob')];
});
afterAll(() => api?.stop());

const HOST = { kind: 'host', registryId: null, host: 'registry.example' } as const;
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

const report = (...found: string[]): ScanReport =>
  sampleReport(found.map((id) => ({ id, package: 'openssl' })));

/** Ids grow, because they decide between equal times. */
let inserted = 0;

async function job(image: string, more: Partial<NewJob> = {}): Promise<string> {
  const id = `0199d1f0-0000-7000-8000-${String(++inserted).padStart(12, '0')}`;
  await api.store.jobs.insert({ id, ownerId: ids.ada, image, tag: '1', source: HOST, ...more });
  return id;
}

/** As a worker leaves a job whose scan ended at this minute. */
function scannedAt(minute: number, scan: ScanReport): (job: StagingJob) => StagingJob {
  return (row) => {
    const { verdict, result } = judge(scan, DEFAULT_POLICY, row.overrides);
    const entry = { at: at(minute), status: 'staged', kind: 'status_changed' } as const;
    const digest = `sha256:${row.image.length.toString(16).padStart(64, '0')}`;
    return {
      ...stagedAs(verdict)(row),
      ...{ digest, vulnResult: result, timeline: [...row.timeline, entry] },
    };
  };
}

async function scanned(
  image: string,
  minute: number,
  scan: ScanReport,
  more: Partial<NewJob> = {},
): Promise<string> {
  const id = await job(image, more);
  await api.store.jobs.update(id, scannedAt(minute, scan));
  return id;
}

const newIn = (id: string, client = ada) => client.get(`/api/staging/jobs/${id}/findings/new`);
const FIRST = { previous: null, vulnerabilities: [] };

it('is what the newest older job of the reference did not find', async () => {
  await scanned('lib/app', 1, report('CVE-1', 'CVE-4'));
  const older = await scanned('lib/app', 2, report('CVE-1', 'CVE-2'));
  const id = await scanned('lib/app', 3, report('CVE-2', 'CVE-3', 'CVE-4'));
  await scanned('lib/app', 4, report('CVE-3'));
  expect(await json(newIn(id))).toEqual({
    previous: {
      job_id: older,
      tag: '1',
      digest: expect.stringMatching(/^sha256:/),
      scanned_at: at(2).toISOString(),
    },
    vulnerabilities: ['CVE-3', 'CVE-4'],
  });
});

describe('a job is not compared with one', () => {
  it.each<[string, Partial<NewJob>]>([
    ['of another registry', { source: { ...HOST, host: 'other.example' } }],
    ['of other platforms', { platforms: ['linux/arm64'] }],
  ])('%s', async (difference, more) => {
    const image = `lib/${difference.replaceAll(' ', '-')}`;
    await scanned(image, 1, report('CVE-1'), more);
    const id = await scanned(image, 2, report('CVE-1'));
    expect(await json(newIn(id))).toEqual(FIRST);
  });

  it('without a scan, or whose image could not be judged', async () => {
    const older = await scanned('lib/unjudged', 1, report('CVE-1'));
    await job('lib/unjudged');
    await scanned('lib/unjudged', 2, { ...report(), coverage: 'none' });
    const id = await scanned('lib/unjudged', 3, report('CVE-1', 'CVE-2'));
    expect(await json(newIn(id))).toMatchObject({
      previous: { job_id: older },
      vulnerabilities: ['CVE-2'],
    });
  });
});

it('platforms that were selected alike are compared', async () => {
  const platforms = ['linux/amd64', 'linux/arm64'];
  const older = await scanned('lib/platforms', 1, report('CVE-1'), { platforms });
  const id = await scanned('lib/platforms', 2, report('CVE-1', 'CVE-2'), { platforms });
  expect((await json(newIn(id))).previous.job_id).toBe(older);
});

it('the built-in registry is the same under another host name', async () => {
  const local = (host: string) =>
    ({ kind: 'registry', registryId: '__local__', host }) as const satisfies NewJob['source'];
  const older = await scanned('team/app', 1, report('CVE-1'), { source: local('old.example') });
  const id = await scanned('team/app', 2, report('CVE-2'), { source: local('new.example') });
  expect(await json(newIn(id))).toMatchObject({
    previous: { job_id: older },
    vulnerabilities: ['CVE-2'],
  });
});

describe('a job that was scanned again, without an older one', () => {
  it('is compared with its own earlier scan', async () => {
    const id = await scanned('lib/again', 1, report('CVE-1', 'CVE-2'));
    expect(await json(newIn(id))).toEqual(FIRST);
    const { digest } = await api.store.jobs.get(id);
    const record = (minute: number, scan: ScanReport) =>
      api.store.reports.record({ digest: digest ?? '', report: scan, scannedAt: at(minute) });
    await record(0, report('CVE-1', 'CVE-2'));
    await record(5, report('CVE-2', 'CVE-3'));
    await api.store.jobs.update(id, scannedAt(6, report('CVE-2', 'CVE-3')));
    expect(await json(newIn(id))).toMatchObject({
      previous: { job_id: id, digest, scanned_at: at(1).toISOString() },
      vulnerabilities: ['CVE-3'],
    });
  });
});

describe('the first job of a tag', () => {
  it('is compared with the newest older job of another tag', async () => {
    await scanned('lib/tags', 1, report('CVE-1', 'CVE-2'), { tag: '1.0' });
    const older = await scanned('lib/tags', 2, report('CVE-1'), { tag: '1.1' });
    const id = await scanned('lib/tags', 3, report('CVE-1', 'CVE-2'), { tag: '1.2' });
    await scanned('lib/tags', 4, report('CVE-2'), { tag: '1.3' });
    expect(await json(newIn(id))).toMatchObject({
      previous: { job_id: older, tag: '1.1', scanned_at: at(2).toISOString() },
      vulnerabilities: ['CVE-2'],
    });
  });

  it('is compared with an older job of its own tag where there is one', async () => {
    const older = await scanned('lib/own', 1, report('CVE-1'), { tag: '1.0' });
    await scanned('lib/own', 2, report('CVE-2'), { tag: '1.1' });
    const id = await scanned('lib/own', 3, report('CVE-1', 'CVE-2'), { tag: '1.0' });
    expect(await json(newIn(id))).toMatchObject({
      previous: { job_id: older, tag: '1.0' },
      vulnerabilities: ['CVE-2'],
    });
  });
});

describe('the rights', () => {
  it('an account is compared with its own jobs alone, an administrator with all', async () => {
    const bobs = await scanned('lib/rights', 1, report('CVE-1'), { ownerId: ids.bob });
    const id = await scanned('lib/rights', 2, report('CVE-1', 'CVE-2'));
    expect(await json(newIn(id))).toEqual(FIRST);
    expect(await json(newIn(id, root))).toMatchObject({
      previous: { job_id: bobs },
      vulnerabilities: ['CVE-2'],
    });
  });

  it('a job of another account is not found', async () => {
    const id = await scanned('lib/hidden', 1, report('CVE-1'));
    expect(await codeOf(newIn(id, bob))).toEqual([404, 'JOB_UNKNOWN']);
  });
});
