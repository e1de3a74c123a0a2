/** The worker decides by the policy of the destination, just before it writes. */
import {
  DEFAULT_POLICY,
  decidePush,
  defaultPolicy,
  isBlocked,
  judge,
  LOCAL_REGISTRY_ID,
  type PolicyRules,
  type StagingJob,
  scanOfJob,
} from '@portcullis/domain';
import { publishChange, recent } from '@portcullis/events';
import type { SavedRegistry, StoredPolicy } from '@portcullis/store';
import {
  fetchManifest,
  openSql,
  past,
  pushImage,
  randomImage,
  startRegistry,
  type TestRegistry,
} from '@portcullis/testing';
import { sampleReport } from '@portcullis/testing/samples';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { orderOf, submitTransfer, tagged, toLocal, toSaved, transferOver } from './batch.ts';
import { type Harness, openHarness } from './harness.ts';

const VULNERABILITY = 'CVE-2026-1234';
const NO_OVERRIDES = { vulnScanEnabled: null, vulnSeverities: null };

let harness: Harness;
let source: TestRegistry;
let outside: TestRegistry;
let saved: SavedRegistry;

beforeAll(async () => {
  [harness, source, outside] = await Promise.all([openHarness(), startRegistry(), startRegistry()]);
  const group = await harness.store.groups.insertGroup({ name: 'crew' });
  await harness.store.groups.addMember(group.id, harness.alice.id);
  const flags = { canPull: true, canPush: true, canPullExternal: true, canPushExternal: true };
  for (const name of ['prod', 'open', 'team', 'small', 'patient', 'urgent', 'late']) {
    const folder = await harness.store.folders.insertFolder({ name });
    await harness.store.folders.grant(folder.id, group.id, flags);
  }
  const strict = await policy('strict', {});
  const lax = await policy('lax', { rules: [] });
  await useIn('prod', strict);
  await useIn('open', lax);
  await useIn('patient', await policy('patient', { rules: [], minAgeHours: 24 }));
  const kept = await harness.store.folders.insertFolder({ name: 'kept' });
  await harness.store.folders.update(kept.id, { pullGate: 'enforce' });
  saved = await harness.store.registries.insert({
    name: 'outside',
    host: outside.host,
    useTls: false,
    policyId: strict.id,
  });
  await harness.startWorker({ EGRESS_ALLOW: '127.0.0.1' });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await Promise.all([source?.stop(), outside?.stop()]);
});

function policy(name: string, change: Partial<PolicyRules>): Promise<StoredPolicy> {
  const { id: _, name: __, version: ___, ...rules } = defaultPolicy(DEFAULT_POLICY);
  return harness.store.policies.insertPolicy({
    name,
    rules: { ...rules, ...change },
    savedBy: 'root',
  });
}

async function useIn(name: string, { id: policyId }: StoredPolicy): Promise<void> {
  const folder = await harness.store.folders.find(name);
  await harness.store.folders.update(folder?.id ?? '', { policyId });
}

async function waived(change: { repository: string; expiresAt: Date }): Promise<void> {
  const waiver = await harness.store.waivers.insertWaiver({
    ...{
      vulnerability: VULNERABILITY,
      package: null,
      packageVersion: null,
      digest: null,
      folder: 'prod',
    },
    ...{ status: 'accepted', justification: null, reason: 'not reachable', ticket: null },
    ...{ vexDocument: null, requestedById: harness.admin.id },
    ...change,
  });
  const approvals = [{ accountId: waiver.requestedById, username: 'rita', at: new Date() }];
  await harness.store.waivers.save({ ...waiver, state: 'approved', approvals });
  await publishChange(harness.redis, 'gate');
}

let serial = 0;

/** A pulled image with one HIGH vulnerability, as a scan would leave it. */
async function staged(found = [{ id: VULNERABILITY, package: 'openssl' }]): Promise<StagingJob> {
  const image = `team/app${++serial}`;
  await pushImage(source.url, image, '1', await randomImage());
  const { id } = await harness.submit({
    image,
    tag: '1',
    host: source.host,
    ownerId: harness.alice.id,
  });
  const { digest, error } = await harness.settled(id);
  expect([typeof digest, error]).toEqual(['string', null]);
  const report = sampleReport(found);
  await harness.store.reports.record({ digest: digest ?? '', report, scannedAt: new Date() });
  const { verdict, result } = judge(report, DEFAULT_POLICY, NO_OVERRIDES);
  return harness.store.jobs.update(id, (job) => ({ ...job, verdict, vulnResult: result }));
}

function ended(job: Pick<StagingJob, 'id'>): Promise<StagingJob> {
  return harness.until(job.id, ({ status }) => status === 'pushed' || status === 'failed');
}

async function pushed(
  job: StagingJob,
  repository: string,
  {
    by = harness.alice,
    ...push
  }: { by?: typeof harness.alice; kind?: 'registry'; registryId?: string; host?: string } = {},
): Promise<StagingJob> {
  const { id: requestedById, username: requestedBy } = by;
  await harness.push(job.id, { ...push, repository, tag: '1', requestedById, requestedBy });
  return ended(job);
}

async function isIn(registry: TestRegistry, repository: string): Promise<boolean> {
  return (await fetchManifest(registry.url, repository, '1')).status === 200;
}

async function eventOf(
  job: StagingJob,
  named = 'staging.pushed',
): Promise<Record<string, unknown> | undefined> {
  const find = async () =>
    (await recent(harness.redis)).find(
      ({ event, resource }) => event === named && resource?.id === job.id,
    );
  await expect.poll(find).toBeDefined();
  const event = await find();
  return event && { outcome: event.outcome, ...event.detail };
}

it('a folder whose policy allows it gets what the settings block, and another one does not', async () => {
  const job = await staged();
  expect(job.verdict).toBe('blocked');
  const refused = await pushed(job, 'team/app');
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'VULN_BLOCKED' } });
  expect(refused.error?.message).toContain('Blocked by policy "default": 1 high (CVE-2026-1234');
  expect(await isIn(harness.registry, 'team/app')).toBe(false);
  expect(await eventOf(refused)).toMatchObject({
    standing: { state: 'blocked', code: 'VULN_BLOCKED', blocking_total: 1, fixable_total: 1 },
  });

  expect(await pushed(refused, 'open/app')).toMatchObject({ status: 'pushed', verdict: 'blocked' });
  expect(await isIn(harness.registry, 'open/app')).toBe(true);
});

it('a saved registry’s policy decides about pushes to it', async () => {
  const at = { kind: 'registry', registryId: saved.id, host: saved.host } as const;
  const refused = await pushed(await staged(), 'team/app', at);
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'VULN_BLOCKED' } });
  expect(refused.error?.message).toContain('policy "strict"');
  expect(await isIn(outside, 'team/app')).toBe(false);
  expect(await pushed(await staged([]), 'team/clean', at)).toMatchObject({ status: 'pushed' });
  expect(await isIn(outside, 'team/clean')).toBe(true);
});

it('an image that is too young is refused with the moment, and passes once it has come', async () => {
  const refused = await pushed(await staged([]), 'patient/app');
  expect(refused).toMatchObject({ status: 'failed', error: { code: 'TOO_YOUNG' } });
  const until = new Date(Number(refused.sightedAt) + 86_400_000).toISOString();
  expect(refused.error?.message).toContain(
    `Blocked by policy "patient": the image is too new here and waits until ${until.slice(0, 10)}`,
  );
  expect(await isIn(harness.registry, 'patient/app')).toBe(false);
  expect(await eventOf(refused)).toMatchObject({
    standing: { state: 'blocked', code: 'TOO_YOUNG', until },
    decision: { code: 'TOO_YOUNG', waits_until: until },
  });
  expect(await harness.store.sightings.first(refused.digest ?? '')).toEqual(refused.sightedAt);
  const sightedAt = new Date(Date.now() - 86_400_000);
  await harness.store.jobs.update(refused.id, (job) => ({ ...job, sightedAt }));
  expect(await pushed(refused, 'patient/app')).toMatchObject({ status: 'pushed' });
});

it('an image that fixes what blocks the one before passes before it is old enough', async () => {
  const patient = { rules: [], minAgeHours: 24, unlessFixes: 'blocking' } as const;
  const strict = { ...patient, rules: defaultPolicy(DEFAULT_POLICY).rules };
  await useIn('urgent', await policy('open at first', { ...patient, minAgeHours: 0, rules: [] }));
  await publishChange(harness.redis, 'gate');
  const before = await pushed(await staged(), 'urgent/app');
  expect(before).toMatchObject({ status: 'pushed' });
  await useIn('urgent', await policy('urgent', strict));
  await publishChange(harness.redis, 'gate');

  const other = await pushed(await staged([]), 'urgent/unrelated');
  expect(other).toMatchObject({ status: 'failed', error: { code: 'TOO_YOUNG' } });
  const fix = await pushed(await staged([]), 'urgent/app');
  expect(fix).toMatchObject({
    status: 'pushed',
    pushes: [{ waivers: [{ vulnerability: 'TOO_YOUNG', approvedBy: [] }] }],
  });
  const [waiver] = (await harness.store.waivers.inForce(new Date())).filter(
    ({ digest }) => digest === fix.digest,
  );
  expect(waiver).toMatchObject({
    ...{ vulnerability: 'TOO_YOUNG', folder: 'urgent', byPolicy: true },
    reason: `fixes ${VULNERABILITY}`,
    expiresAt: new Date(Number(fix.sightedAt) + 86_400_000),
  });
  const next = await pushed(await staged([]), 'urgent/app');
  expect(next).toMatchObject({ status: 'failed', error: { code: 'TOO_YOUNG' } });
});

it('an immutable tag is neither moved nor lost, and its own digest passes', async () => {
  const folder = await harness.store.folders.find('team');
  const set = async (immutableTags: string[]) => {
    await harness.store.folders.update(folder?.id ?? '', { immutableTags });
    await publishChange(harness.redis, 'gate');
  };
  await set(['1']);
  const first = await pushed(await staged([]), 'team/release');
  expect(first).toMatchObject({ status: 'pushed' });
  const refused = await pushed(await staged([]), 'team/release');
  expect(refused).toMatchObject({
    status: 'failed',
    error: { code: 'TAG_IMMUTABLE', retryable: false },
  });
  expect(refused.error?.message).toContain('the tag 1 of team/release is immutable');
  const there = await fetchManifest(harness.registry.url, 'team/release', '1');
  expect(there.headers['docker-content-digest']).toBe(first.digest);
  expect(await pushed(first, 'team/release')).toMatchObject({ status: 'pushed' });
  await set([]);
  expect(await pushed(refused, 'team/release')).toMatchObject({ status: 'pushed' });
});

it('a folder that became a mirror takes no push that waited, and does again without it', async () => {
  const folder = await harness.store.folders.find('late');
  const set = async (registryId: string | null) => {
    const terms = { prefix: '', allow: ['*'], platforms: [], checkMinutes: 60, keepDays: 90 };
    const mirror = registryId === null ? null : { registryId, ...terms };
    await harness.store.folders.update(folder?.id ?? '', { mirror });
    await publishChange(harness.redis, 'access');
  };
  const job = await staged([]);
  await set(saved.id);
  const refused = await pushed(job, 'late/app');
  expect(refused).toMatchObject({
    status: 'failed',
    error: { code: 'MIRROR_READ_ONLY', retryable: false },
  });
  expect(await isIn(harness.registry, 'late/app')).toBe(false);
  await set(null);
  expect(await pushed(refused, 'late/app')).toMatchObject({ status: 'pushed' });
});

it('an image that exceeds the quota of the folder is refused before its blobs are moved', async () => {
  const folder = await harness.store.folders.find('small');
  const limit = async (quotaBytes: number | null) => {
    await harness.store.folders.update(folder?.id ?? '', { quotaBytes });
    await publishChange(harness.redis, 'gate');
  };
  const job = await staged([]);
  const manifest = await fetchManifest(source.url, job.image, '1');
  const { config, layers } = JSON.parse(manifest.body.toString());
  const size = [config, ...layers].reduce((sum, part) => sum + part.size, manifest.body.length);
  await limit(size - 1);
  const refused = await pushed(job, 'small/app');
  expect(refused).toMatchObject({
    status: 'failed',
    error: { code: 'QUOTA_EXCEEDED', retryable: false },
  });
  expect(refused.error?.message).toContain('to the folder small, which uses 0 bytes of its quota');
  const blob = `${harness.registry.url}/v2/small/app/blobs/${config.digest}`;
  expect((await fetch(blob, { method: 'HEAD' })).status).toBe(404);
  await limit(size);
  expect(await pushed(refused, 'small/app')).toMatchObject({ status: 'pushed' });
  expect(await harness.store.folderContents.used('small')).toBe(size);
  await limit(1);
  expect(await pushed(refused, 'small/app')).toMatchObject({ status: 'pushed' });
  expect(await pushed(await staged([]), 'small/other')).toMatchObject({ status: 'failed' });
});

it('a waiver opens the push, and the audit event names it', async () => {
  await waived({ repository: 'prod/waived', expiresAt: new Date(Date.now() + 86_400_000) });
  const job = await pushed(await staged(), 'prod/waived');
  expect(job).toMatchObject({
    status: 'pushed',
    pushes: [{ waivers: [{ vulnerability: VULNERABILITY, approvedBy: ['rita'] }] }],
  });
  expect(await eventOf(job)).toMatchObject({
    outcome: 'success',
    standing: { state: 'allowed', blocking_total: 0, by: ['rita'] },
    decision: {
      outcome: 'allowed',
      because: 'passes',
      policy: { name: 'strict', version: '1' },
      waived: [{ vulnerability: VULNERABILITY }],
    },
  });
});

it('a waiver that ends between request and push blocks the push', async () => {
  const job = await staged();
  const expiresAt = new Date(Date.now() + 10_000);
  await waived({ repository: 'prod/late', expiresAt });
  const strict = await harness.store.policies.list();
  const { id = null, rules } = strict.find(({ name }) => name === 'strict') ?? {};
  const now = new Date();
  const asked = decidePush({
    scan: scanOfJob(job),
    image: { digest: job.digest ?? '', repository: 'prod/late', folder: 'prod' },
    policy: { ...defaultPolicy(DEFAULT_POLICY), ...rules, id },
    settings: DEFAULT_POLICY,
    waivers: await harness.store.waivers.inForce(now),
    feeds: { kev: null, epss: null },
    bypasses: false,
    database: null,
    now,
    ...{ signatures: null, authorities: new Map() },
  });
  expect(asked).toMatchObject({ allowed: true, standing: { validUntil: expiresAt } });

  await past(expiresAt);
  const late = await pushed(job, 'prod/late');
  expect(late).toMatchObject({
    status: 'failed',
    error: { code: 'VULN_BLOCKED' },
    pushes: [{ status: 'failed', error: { code: 'VULN_BLOCKED' } }],
  });
  expect(isBlocked(late)).toBe(true);
  expect(late.error?.message).toContain('Blocked by policy "strict": 1 high (CVE-2026-1234');
  expect(await isIn(harness.registry, 'prod/late')).toBe(false);
  expect(await eventOf(late)).toMatchObject({
    outcome: 'denied',
    decision: { outcome: 'refused', code: 'VULN_BLOCKED', blocking_total: 1 },
  });
});

it('an account with the privilege bypasses the policy, and the push says what', async () => {
  const job = await pushed(await staged(), 'prod/bypassed', { by: harness.admin });
  expect(job).toMatchObject({ status: 'pushed', pushes: [{ bypassed: 'VULN_BLOCKED' }] });
  expect(await eventOf(job)).toMatchObject({
    decision: { because: 'bypass', code: 'VULN_BLOCKED', policy: { name: 'strict' } },
    ...{ bypassed: 'VULN_BLOCKED', reason: null },
  });
});

it('a pull out of an enforcing folder by bypass is in the audit log with its decision', async () => {
  const image = await randomImage();
  await pushImage(harness.registry.url, 'kept/app', '1', image);
  const report = sampleReport([{ id: VULNERABILITY, package: 'openssl' }]);
  await harness.store.reports.record({ digest: image.digest, report, scannedAt: new Date() });
  const host = harness.registry.host;
  const local = { kind: 'registry', registryId: LOCAL_REGISTRY_ID, host } as const;
  const job = await harness.submit({ image: 'kept/app', tag: '1', host, source: local });
  await harness.settled(job.id);
  expect(await eventOf(job, 'staging.pulled')).toMatchObject({
    outcome: 'success',
    decision: { because: 'bypass', code: 'VULN_BLOCKED' },
  });
});

it('what a push brings is recorded in its folder: passed, or blocked also by waiver and bypass', async () => {
  const record = async (repository: string, by = harness.alice, found?: []) => {
    const { digest } = await pushed(await staged(found), repository, { by });
    return harness.store.passRecords.find('prod', digest ?? '');
  };
  expect(await record('prod/clean', harness.alice, [])).toEqual({
    passedAt: expect.any(Date),
    blockedAt: null,
  });
  expect(await record('prod/again', harness.admin)).toEqual({
    passedAt: null,
    blockedAt: expect.any(Date),
  });
});

it('a transfer obeys the policy of its destination, which needs a scan', async () => {
  const image = `team/app${++serial}`;
  await pushImage(source.url, image, '1', await randomImage());
  const from = { registryId: null, host: source.host };
  const transfer = async (to: Parameters<typeof orderOf>[0]['to'], repository: string) => {
    const order = orderOf({ from, to }, [tagged(image, repository)], { overrides: NO_OVERRIDES });
    const id = await submitTransfer(harness, order, harness.alice);
    await transferOver(harness, id);
    const { items } = await harness.store.jobs.list({ transferId: id });
    return items[0];
  };
  const refused = { status: 'failed', error: { code: 'SCAN_REQUIRED' } };
  expect(await transfer(toSaved(saved), 'team/moved')).toMatchObject(refused);
  expect(await transfer(toLocal(harness.registry.host), 'prod/moved')).toMatchObject(refused);
  expect(await transfer(toLocal(harness.registry.host), 'team/moved')).toMatchObject({
    status: 'pushed',
  });
});

it('the newest tags of a transfer are those that are old enough for its destination', async () => {
  await useIn('late', await policy('late', { rules: [], minAgeHours: 24 }));
  await publishChange(harness.redis, 'gate');
  const image = `team/app${++serial}`;
  for (const tag of ['1.29.0', '1.30.0', '1.30.1', '1.30.2'])
    await pushImage(source.url, image, tag, await randomImage());
  const age = async (tag: string, digest: string) => {
    const seen = { repository: `${source.host}/${image}`, tag, digest };
    await harness.store.sightings.pulled(seen, digest);
    const earlier = `UPDATE sightings SET first = now() - interval '25 hours' WHERE digest = $1`;
    const sql = await openSql(harness.databaseUrl);
    await sql.query(earlier, [digest]);
    await sql.end();
  };
  for (const tag of ['1.29.0', '1.30.0']) {
    const { headers } = await fetchManifest(source.url, image, tag);
    await age(tag, String(headers['docker-content-digest']));
  }
  const order = orderOf(
    {
      from: { registryId: null, host: source.host },
      to: toLocal(harness.registry.host),
    },
    [
      {
        ...{ image, repository: 'late/newest', targetTag: null },
        tags: { match: { glob: '1.*' }, newest: 1 },
      },
    ],
  );
  const id = await submitTransfer(harness, order, harness.alice);
  await transferOver(harness, id);
  const { items } = await harness.store.jobs.list({ transferId: id });
  expect(items.map(({ tag }) => tag)).toEqual(['1.30.0']);
  const until = expect.stringMatching(/^20\d\d-/);
  expect((await harness.store.transfers.find(id))?.selections).toMatchObject([
    {
      ...{ tagsSeen: 4, jobsMade: 1 },
      skipped: [
        { tag: '1.30.2', until },
        { tag: '1.30.1', until },
      ],
    },
  ]);
});
