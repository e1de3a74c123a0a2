/** The api as it runs on Kubernetes: with SECRET_KEY, and a DATA_DIR that cannot be created. */
import { Readable } from 'node:stream';
import { DEFAULT_POLICY, judge, type ScanReport } from '@portcullis/domain';
import { openQueues } from '@portcullis/queue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiEnvironment, type ApiProcess, openApiEnvironment } from './api-process.fixture.ts';

const REPORT: ScanReport = {
  coverage: 'full',
  notes: [],
  os: null,
  targets: [],
  vulnerabilities: [],
  scanner: { name: 't', version: '1', dbUpdatedAt: null },
};
const DIGEST = `sha256:${'a'.repeat(64)}`;

let environment: ApiEnvironment;
let api: ApiProcess;
let admin: Record<string, string>;

beforeAll(async () => {
  environment = await openApiEnvironment();
  api = await environment.start({ DATA_DIR: '/proc/nowhere/data' });
  admin = await environment.session('operator', { isAdmin: true });
});
afterAll(() => environment?.[Symbol.asyncDispose]());

function get(path: string): Promise<Response> {
  return fetch(`${api.url}${path}`, { headers: admin });
}

async function getJson(path: string) {
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

const bytes = (text: string) => Readable.from([Buffer.from(text)]);

it('O16: starts, is ready, and shows scanner and disk as reported by its workers', async () => {
  expect(await getJson('/api/ready')).toBeDefined();
  expect(await getJson('/api/dashboard/stats')).toMatchObject({ disk: null });
  const database = {
    updatedAt: '2026-11-22T10:00:00Z',
    nextUpdate: '2026-11-22T16:00:00Z',
    source: 'mirror/trivy-db:2',
    javaUpdatedAt: null,
    javaDownloadedAt: null,
  };
  const scanner = {
    binary: 'ready',
    version: '0.1',
    message: '',
    available: true,
    database,
    databaseFailure: null,
    javaDownload: null,
  } as const;
  const disk = { total: 1000, free: 10, reserve: 50 };
  const seen = { disk, registryDisk: null, fault: null, scanner };
  await environment.store.storages.beat('00000000-0000-4000-8000-000000000001', seen);
  await expect
    .poll(async () => (await getJson('/api/health/dependencies')).dependencies)
    .toMatchObject({ scanner: { ok: true }, disk: { ok: false, code: 'DISK_RESERVE' } });
});

it('O16: gives the full report of a job', async () => {
  const owner = await environment.store.users.findByUsername('operator');
  const source = { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' } as const;
  const { id } = await environment.store.jobs.insert({
    ownerId: owner?.id ?? '',
    image: 'team/app',
    tag: '1',
    source,
  });
  await environment.store.jobs.update(id, (job) => ({
    ...job,
    status: 'staged',
    verdict: 'clean',
    digest: DIGEST,
    vulnResult: judge(REPORT, DEFAULT_POLICY, job.overrides).result,
  }));
  const list = JSON.stringify([{ digest: DIGEST, platform: 'linux/amd64', file: 'a.json' }]);
  // Larger than one part, so that the parts are joined.
  const results = JSON.stringify(
    Array.from({ length: 20_000 }, (_, n) => ({ Target: `t${n}`, Class: 'os-pkgs' })),
  );
  await environment.store.jobReports.replace(id, [
    { name: 'a.json', content: bytes(`{\n  "SchemaVersion": 2,\n  "Results": ${results}\n}`) },
    { name: 'reports.json', content: bytes(list) },
  ]);
  const report = await getJson(`/api/staging/jobs/${id}/report`);
  expect(report).toMatchObject({
    SchemaVersion: 2,
    ArtifactName: `docker.io/team/app:1@${DIGEST}`,
  });
  expect(report.Results).toHaveLength(20_000);
  expect(await getJson(`/api/staging/jobs/${id}/report/platforms`)).toEqual([
    { platform: 'linux/amd64', digest: DIGEST },
  ]);
});

it('O16: lists the orphans that workers found, and lets the worker of the storage remove each', async () => {
  const storageId = '00000000-0000-4000-8000-000000000001';
  const orphan = '00000000-0000-4000-8000-0000000000ff';
  const queues = openQueues(environment.redis);
  const discarded: string[] = [];
  const none = async () => undefined;
  const worker = queues.consumeTasks(
    {
      discard: async ({ jobId }) => void discarded.push(jobId),
      'find-orphans': () =>
        environment.store.storages.keepOrphans(storageId, {
          items: [{ jobId: orphan, size: 7, files: 1, modifiedAt: new Date(0), removable: true }],
          complete: true,
        }),
      'convert-report': none,
      'keep-reports': none,
      'expand-transfer': none,
      'run-schedule': none,
      sweep: none,
      'prune-cache': none,
      'trim-events': none,
      'reconcile-images': none,
      'update-scanner-db': none,
      'refresh-feeds': none,
      'end-waivers': none,
      'apply-retention': none,
    },
    { storageId },
  );
  try {
    expect(await getJson('/api/system/orphans')).toMatchObject({
      items: [{ job_id: orphan, size: 7 }],
      total_size: 7,
      complete: true,
    });
    const removed = await fetch(`${api.url}/api/system/orphans`, {
      method: 'DELETE',
      headers: admin,
    });
    expect([removed.status, await removed.json()]).toEqual([202, { removing: [orphan], size: 7 }]);
    await expect.poll(() => discarded).toEqual([orphan]);
  } finally {
    await worker.stop();
    await queues.close();
  }
});

it('O16: shows processes, the vulnerability database and figures', async () => {
  expect(await getJson('/api/trivy/db')).toMatchObject({
    db: { updated_at: '2026-11-22T10:00:00.000Z' },
  });
  await getJson('/api/system/processes');
  await getJson('/api/system/queues');
});
