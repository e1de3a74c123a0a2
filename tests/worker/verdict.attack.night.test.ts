/** Verdicts that become outdated while a push waits, a worker dies or a scan fails. */
import { advance, DEFAULT_POLICY, requestPush, type StagingJob } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { fromSaved, orderOf, submitTransfer, tagged, toLocal, transferOver } from './batch.ts';
import { pushBy } from './harness.ts';
import { forgetLayers } from './scanner-memory.ts';
import {
  environment,
  harness,
  imageOf,
  isThere,
  kinds,
  pushed,
  SAFE,
  scannedAgain,
  setPolicy,
  setWorker,
  source,
  stagedBy,
  startVerdicts,
  TOMORROW,
  updateDatabase,
  worker,
} from './verdict.fixture.ts';

startVerdicts();

it('S14: with a database older than the policy accepts nothing is pushed; with a newer one it is, after a new scan', async () => {
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
});

it('S4c: a blocked image is scanned again, and is clean once its vulnerability was withdrawn', async () => {
  await updateDatabase();
  const job = await stagedBy(harness.alice, TOMORROW);
  expect(job.verdict).toBe('blocked');
  await updateDatabase({ isEarlier: true });
  const again = await scannedAgain(job);
  expect(again).toMatchObject({ status: 'staged', verdict: 'clean', vulnResult: { total: 0 } });
  expect(await pushed(again)).toMatchObject({ status: 'pushed' });
});

it('S4a: a transfer’s image with layers at the source is scanned again before it is pushed again', async () => {
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
});

it('S4a: a worker that dies while a push waits for its scan loses neither, and pushes nothing', async () => {
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
    if (!pushing) throw new Error('it is claimed already');
    await harness.store.jobs.save(
      advance(pushing, { kind: 'scan_wanted' }, new Date()),
      pushing.fence,
    );
    expect(await harness.store.jobs.begin(id, 'scan', 'dying')).toMatchObject({
      status: 'scanning',
    });
  }
  setWorker(await harness.startWorker(environment));
  const over = ({ status }: StagingJob) => status === 'pushed' || status === 'failed';
  expect(await harness.until(bad.id, over)).toMatchObject({
    status: 'failed',
    error: { code: 'VULN_BLOCKED' },
  });
  expect(await harness.until(safe.id, over)).toMatchObject({
    status: 'pushed',
    pushes: [{ status: 'done' }],
  });
});

it('S4a: a push that waits for its scan is cancelled with it, and a new scan does not resume it', async () => {
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
  if (!pushing) throw new Error('it is claimed already');
  await harness.store.jobs.save(
    advance(pushing, { kind: 'scan_wanted' }, new Date()),
    pushing.fence,
  );
  expect(await harness.store.jobs.requestCancel(job.id)).toMatchObject({
    status: 'cancelled',
    verdict: 'clean',
    pushes: [{ status: 'cancelled' }],
  });
  setWorker(await harness.startWorker(environment));
  expect(await pushed(job)).toMatchObject({
    status: 'pushed',
    pushes: [{ status: 'cancelled' }, { status: 'done' }],
  });
});

it('a failed scan does not clear earlier findings, also where an error is accepted', async () => {
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
});
