/**
 * Verdicts that became outdated: by an older database, an older policy, or another rating of a
 * package.
 */
import {
  advance,
  DEFAULT_POLICY,
  POLICY_SETTING,
  requestPush,
  retry,
  type ScanPolicy,
  type StagingJob,
} from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import {
  debianImage,
  fetchManifest,
  pushImage,
  randomFiles,
  serveVulnerabilityDb,
  startRegistry,
  type TestPackage,
  type TestRegistry,
  testTrivy,
} from '@portcullis/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromSaved, orderOf, submitTransfer, tagged, toLocal, transferOver } from './batch.ts';
import { type Harness, openHarness, pushBy, type WorkerProcess } from './harness.ts';
import { forgetLayers } from './scanner-memory.ts';

const DAY_MS = 86_400_000;
const MINUTES = 180_000;

let harness: Harness;
let source: TestRegistry;
let worker: WorkerProcess;
let environment: Record<string, string>;

/** Clean until the later database, which has a CRITICAL for it. */
const TOMORROW: TestPackage[] = [{ name: 'sudo', version: '1.9.13p3-1' }];
const SAFE: TestPackage[] = [{ name: 'tzdata', version: '2024a-0' }];
/** One LOW. */
const LOW: TestPackage[] = [{ name: 'tar', version: '1.34+dfsg-1.2' }];
/** One vulnerability: HIGH without a fix in one package, LOW with a fix in the other. */
const MIXED: TestPackage[] = [
  { name: 'shared', version: '1' },
  { name: 'shared2', version: '1' },
];

beforeAll(async () => {
  const trivy = await testTrivy();
  [harness, source] = await Promise.all([openHarness(), startRegistry()]);
  const UpdatedAt = new Date(Date.now() - 3 * DAY_MS).toISOString();
  const database = await serveVulnerabilityDb(harness.registry.url, {
    isEarlier: true,
    metadata: { UpdatedAt },
  });
  environment = {
    TRIVY_ENABLED: 'true',
    TRIVY_PATH: trivy,
    TRIVY_DB_REPOSITORY: database,
    EGRESS_ALLOW: '127.0.0.1',
  };
  worker = await harness.startWorker(environment);
  const group = await harness.store.groups.insertGroup({ name: 'crew' });
  await harness.store.groups.addMember(group.id, harness.alice.id);
  const folder = await harness.store.folders.insertFolder({ name: 'team' });
  await harness.store.folders.grant(folder.id, group.id, { canPullExternal: true, canPush: true });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await source?.stop();
});

let serial = 0;

/** Repository and image of this name, with unique content. */
async function imageOf(packages: TestPackage[]): Promise<string> {
  serial += 1;
  const image = await debianImage({ packages, more: [randomFiles(2_000, `own-${serial}.bin`)] });
  await pushImage(source.url, `team/app${serial}`, '1', image);
  return `team/app${serial}`;
}

async function stagedBy(owner: { id: string }, packages: TestPackage[]): Promise<StagingJob> {
  const image = await imageOf(packages);
  const { id } = await harness.submit({ image, tag: '1', host: source.host, ownerId: owner.id });
  return harness.settled(id);
}

async function pushed({ id, image }: StagingJob): Promise<StagingJob> {
  const { id: requestedById, username: requestedBy } = harness.alice;
  await harness.push(id, { repository: image, tag: '1', requestedById, requestedBy });
  return harness.until(id, ({ status }) => status === 'pushed' || status === 'failed');
}

async function isThere({ image }: StagingJob): Promise<boolean> {
  return (await fetchManifest(harness.registry.url, image, '1')).status === 200;
}

const kinds = ({ timeline }: StagingJob) => timeline.map(({ kind }) => kind);

/** Serves a newer database, and waits until the worker has it. */
async function updateDatabase({ isEarlier = false } = {}): Promise<string> {
  // The scanner omits a zero at the end.
  const UpdatedAt = new Date(Math.floor(Date.now() / 10) * 10 + 1).toISOString();
  await serveVulnerabilityDb(harness.registry.url, { isEarlier, metadata: { UpdatedAt } });
  const order = { kind: 'scanner-db', options: {}, requestedBy: 'root' } as const;
  const run = await harness.store.maintenance.request(order);
  await expect
    .poll(() => harness.store.maintenance.latest('scanner-db'), { interval: 200 })
    .toMatchObject({ id: run?.id, state: 'done', error: null });
  return UpdatedAt;
}

/** Sets the policy, and waits until the worker applies it. */
async function setPolicy(change: Partial<ScanPolicy>): Promise<void> {
  const probe = await stagedBy(harness.admin, SAFE);
  await harness.store.settings.set(POLICY_SETTING, { ...DEFAULT_POLICY, ...change });
  await publishChange(harness.redis, 'settings');
  const severities = change.severities ?? DEFAULT_POLICY.severities;
  for (let seen: unknown = null; JSON.stringify(seen) !== JSON.stringify(severities); ) {
    const again = await scannedAgain(probe);
    seen = again.vulnResult?.severities;
  }
}

async function scannedAgain({ id }: StagingJob): Promise<StagingJob> {
  const again = await harness.store.jobs.update(id, (job) => retry(job, harness.admin, new Date()));
  await harness.queues.dispatch(again);
  return harness.settled(id);
}

it(
  'S14: with a database older than the policy accepts nothing is pushed; with a newer one it is, after a new scan',
  async () => {
    await setPolicy({ maxDatabaseAgeDays: 2, severities: ['CRITICAL'] });
    const job = await stagedBy(harness.alice, SAFE);
    expect(job).toMatchObject({ status: 'staged', verdict: 'clean' });
    expect(await pushed(job)).toMatchObject({
      status: 'failed',
      error: { code: 'DATABASE_TOO_OLD' },
    });
    expect(await isThere(job)).toBe(false);

    const dbUpdatedAt = await updateDatabase({ isEarlier: true });
    const over = await pushed(job);
    expect(over).toMatchObject({
      status: 'pushed',
      verdict: 'clean',
      vulnResult: { scanner: { dbUpdatedAt } },
    });
    expect(kinds(over)).toContain('database_newer');
    await setPolicy({});
  },
  MINUTES,
);

it(
  'S4a: an image that was clean yesterday, with a CRITICAL in today’s database, is not pushed',
  async () => {
    const [bad, safe] = [
      await stagedBy(harness.alice, TOMORROW),
      await stagedBy(harness.alice, SAFE),
    ];
    expect([bad.verdict, safe.verdict]).toEqual(['clean', 'clean']);
    const dbUpdatedAt = await updateDatabase();

    const refused = await pushed(bad);
    expect(refused).toMatchObject({
      status: 'failed',
      verdict: 'blocked',
      error: { code: 'VULN_BLOCKED' },
      vulnResult: { counts: { CRITICAL: 1 }, scanner: { dbUpdatedAt } },
      pushes: [{ status: 'failed', error: { code: 'VULN_BLOCKED' } }],
    });
    expect(kinds(refused)).toContain('database_newer');
    expect(await isThere(bad)).toBe(false);

    const through = await pushed(safe);
    expect(through).toMatchObject({
      status: 'pushed',
      verdict: 'clean',
      vulnResult: { scanner: { dbUpdatedAt } },
    });
    expect(await isThere(safe)).toBe(true);
    // With the same database there is no second scan.
    const again = await pushed(safe);
    expect(kinds(again).filter((kind) => kind === 'database_newer')).toHaveLength(1);
  },
  MINUTES,
);

it(
  'S4c: a blocked image is scanned again, and is clean once its vulnerability was withdrawn',
  async () => {
    const job = await stagedBy(harness.alice, TOMORROW);
    expect(job.verdict).toBe('blocked');
    await updateDatabase({ isEarlier: true });
    const again = await scannedAgain(job);
    expect(again).toMatchObject({ status: 'staged', verdict: 'clean', vulnResult: { total: 0 } });
    expect(await pushed(again)).toMatchObject({ status: 'pushed' });
  },
  MINUTES,
);

it(
  'S4a: a transfer’s image with layers at the source is scanned again before it is pushed again',
  async () => {
    const image = await imageOf(TOMORROW);
    const saved = await harness.store.registries.insert({
      name: 'source',
      host: source.host,
      useTls: false,
    });
    const order = orderOf({ from: fromSaved(saved), to: toLocal(harness.registry.host) }, [
      tagged(image),
    ]);
    const transferId = await submitTransfer(harness, order, harness.alice);
    expect((await transferOver(harness, transferId)).counts).toEqual({ pushed: 1 });
    const { items } = await harness.store.jobs.list({ transferId });
    const job = await harness.store.jobs.get(items[0]?.id ?? '');
    expect(job.verdict).toBe('clean');
    await updateDatabase();
    // The scanner has dropped the layers: they are downloaded while the push waits.
    await forgetLayers(harness);
    expect(await pushed(job)).toMatchObject({
      status: 'failed',
      verdict: 'blocked',
      error: { code: 'VULN_BLOCKED' },
    });
  },
  MINUTES,
);

it(
  'S4a: a worker that dies while a push waits for its scan loses neither, and pushes nothing',
  async () => {
    await updateDatabase({ isEarlier: true });
    const [bad, safe] = [
      await stagedBy(harness.alice, TOMORROW),
      await stagedBy(harness.alice, SAFE),
    ];
    await updateDatabase();
    await worker.kill('SIGKILL');
    const alice = { requestedById: harness.alice.id, requestedBy: harness.alice.username };
    for (const { id, image } of [bad, safe]) {
      const push = {
        ...pushBy(harness.alice, harness.registry.host),
        ...alice,
        repository: image,
        tag: '1',
      };
      await harness.store.jobs.update(id, (job) => requestPush(job, push, new Date()));
      const pushing = await harness.store.jobs.begin(id, 'push', 'dying');
      if (!pushing) throw new Error('nobody else has it');
      await harness.store.jobs.save(
        advance(pushing, { kind: 'scan_wanted' }, new Date()),
        pushing.fence,
      );
      expect(await harness.store.jobs.begin(id, 'scan', 'dying')).toMatchObject({
        status: 'scanning',
      });
    }
    worker = await harness.startWorker(environment);
    const over = ({ status }: StagingJob) => status === 'pushed' || status === 'failed';
    expect(await harness.until(bad.id, over)).toMatchObject({
      status: 'failed',
      error: { code: 'VULN_BLOCKED' },
    });
    expect(await harness.until(safe.id, over)).toMatchObject({
      status: 'pushed',
      pushes: [{ status: 'done' }],
    });
  },
  MINUTES,
);

it(
  'S4a: a push that waits for its scan is cancelled with it, and a new scan does not resume it',
  async () => {
    await updateDatabase({ isEarlier: true });
    const job = await stagedBy(harness.alice, SAFE);
    await updateDatabase();
    await worker.kill('SIGKILL');
    const push = {
      ...pushBy(harness.alice, harness.registry.host),
      repository: job.image,
      tag: '1',
    };
    await harness.store.jobs.update(job.id, (row) => requestPush(row, push, new Date()));
    const pushing = await harness.store.jobs.begin(job.id, 'push', 'dying');
    if (!pushing) throw new Error('nobody else has it');
    await harness.store.jobs.save(
      advance(pushing, { kind: 'scan_wanted' }, new Date()),
      pushing.fence,
    );
    expect(await harness.store.jobs.requestCancel(job.id)).toMatchObject({
      status: 'cancelled',
      verdict: 'clean',
      pushes: [{ status: 'cancelled' }],
    });
    worker = await harness.startWorker(environment);
    expect(await pushed(job)).toMatchObject({
      status: 'pushed',
      pushes: [{ status: 'cancelled' }, { status: 'done' }],
    });
  },
  MINUTES,
);

it(
  'S4b: an image that was accepted under a permissive policy is not pushed under a stricter one',
  async () => {
    const job = await stagedBy(harness.alice, LOW);
    expect(job).toMatchObject({ verdict: 'findings', vulnResult: { counts: { LOW: 1 } } });
    await setPolicy({ severities: ['CRITICAL', 'HIGH', 'LOW'] });
    const refused = await pushed(job);
    expect(refused).toMatchObject({
      status: 'failed',
      verdict: 'blocked',
      error: { code: 'VULN_BLOCKED' },
      vulnResult: { blocked: true, severities: ['CRITICAL', 'HIGH', 'LOW'] },
    });
    expect(kinds(refused)).toContain('policy_changed');
    expect(await isThere(job)).toBe(false);
    await setPolicy({});
    expect(await pushed(refused)).toMatchObject({ status: 'pushed', verdict: 'findings' });
  },
  MINUTES,
);

it(
  'S8: a package blocks by its own rating, not by that of another package',
  async () => {
    await setPolicy({ severities: ['LOW'] });
    const job = await stagedBy(harness.alice, MIXED);
    expect(job).toMatchObject({
      verdict: 'blocked',
      vulnResult: { blocking: { LOW: 1, HIGH: 0 } },
    });
    expect(await pushed(job)).toMatchObject({ status: 'failed', error: { code: 'VULN_BLOCKED' } });
    await setPolicy({ severities: ['HIGH'], ignoreUnfixed: true });
    expect(await pushed(job)).toMatchObject({ status: 'pushed', verdict: 'findings' });
  },
  MINUTES,
);

it(
  'a failed scan does not clear earlier findings, also where an error is accepted',
  async () => {
    await updateDatabase();
    await setPolicy({ severities: [] });
    const [bad, safe] = [
      await stagedBy(harness.alice, TOMORROW),
      await stagedBy(harness.alice, SAFE),
    ];
    expect([bad.verdict, safe.verdict]).toEqual(['findings', 'clean']);
    const { severities } = DEFAULT_POLICY;
    await setPolicy({ severities, onError: 'allow', timeoutSeconds: 0 });
    await updateDatabase();

    for (const job of [bad, safe]) {
      const { vulnResult } = job;
      expect(await scannedAgain(job)).toMatchObject({
        status: 'staged',
        verdict: 'error',
        error: { code: 'SCAN_TIMEOUT' },
        vulnResult: { total: vulnResult?.total, scanner: vulnResult?.scanner },
      });
    }
    const refused = await pushed(bad);
    expect(refused).toMatchObject({
      status: 'failed',
      verdict: 'blocked',
      error: { code: 'VULN_BLOCKED' },
      vulnResult: { counts: { CRITICAL: 1 } },
    });
    expect(await isThere(bad)).toBe(false);
    // The database is newer than the report: one more scan is tried, then the policy's rule for
    // errors applies.
    const through = await pushed(safe);
    expect(through).toMatchObject({ status: 'pushed', verdict: 'error' });
    expect(kinds(through).filter((kind) => kind === 'database_newer')).toHaveLength(1);

    await setPolicy({});
    const healed = await pushed(refused);
    expect(healed).toMatchObject({ verdict: 'blocked', error: { code: 'VULN_BLOCKED' } });
    expect(healed.vulnResult).not.toHaveProperty('laterScanFailedAt');
  },
  MINUTES,
);
