/**
 * Verdicts that stay true: what is announced when a report, a policy, a waiver, a folder or the
 * time changes whether an image passes. Real workers judge; reports are written as scans write
 * them.
 */
import { randomUUID } from 'node:crypto';
import type { Push } from '@portcullis/domain';
import { publishChange } from '@portcullis/events';
import { describe, expect, it } from 'vitest';
import {
  blockedReport,
  cleanReport,
  reportWith,
} from '../../apps/api/src/registry/gate/report.fixture.ts';
import {
  announced,
  eventsOf,
  folderId,
  harness,
  image,
  pushed,
  scanned,
  sql,
  startStandings,
} from './standings.fixture.ts';

startStandings();

const DAY_MS = 86_400_000;

async function filled(): Promise<boolean> {
  const { rows } = await sql.query('SELECT filled_at IS NOT NULL AS done FROM standing_runs');
  return rows[0]?.done ?? false;
}

const known = async (digest: string) =>
  (await sql.query('SELECT passes, blocking FROM image_standings WHERE digest = $1', [digest]))
    .rows[0];

it('what was there before the first run is judged, and not announced', async () => {
  await expect.poll(filled).toBe(true);
  const { rows } = await sql.query(
    `SELECT passes, blocking, changed_at FROM image_standings WHERE repository = 'team/before'`,
  );
  expect(rows).toEqual([{ passes: false, blocking: ['CVE-2026-1234'], changed_at: null }]);
  expect(await eventsOf('before')).toEqual([]);
  expect(await announced('CVE-2026-1234')).toEqual([]);
});

it('an image that is blocked by another report is announced once, with its owners', async () => {
  const digest = await image('report', cleanReport());
  await expect.poll(() => known(digest)).toMatchObject({ passes: true });
  await scanned(digest, reportWith([{ id: 'CVE-2026-7000', severity: 'CRITICAL' }]));
  await expect.poll(() => eventsOf('report')).toEqual(['image.blocked']);
  const [blocked] = await announced('team/report');
  expect(blocked?.detail).toMatchObject({
    tags: ['1'],
    policy: 'default',
    code: 'VULN_BLOCKED',
    blocking: ['CVE-2026-7000'],
    standing: { state: 'blocked', code: 'VULN_BLOCKED', blocking_total: 1, found: { CRITICAL: 1 } },
    owners: [{ id: harness.alice.id, name: 'alice' }],
  });
  await scanned(digest, cleanReport());
  await expect.poll(() => eventsOf('report')).toEqual(['image.blocked', 'image.cleared']);
  const [, cleared] = await announced('team/report');
  expect(cleared?.detail.standing).toMatchObject({ state: 'passes', blocking_total: 0 });
});

it('an image that a privilege brought past the policy is announced as bypassed', async () => {
  const repository = 'team/bypassed';
  const digest = await pushed(repository);
  const source = { kind: 'dockerhub', registryId: null, host: 'h' } as const;
  const { id: requestedById, username: requestedBy } = harness.admin;
  const { id } = await harness.store.jobs.insert({
    ...{ ownerId: requestedById, image: 'app', tag: '1', source },
  });
  const push: Push = {
    ...{ id: randomUUID(), status: 'done', kind: 'local', registryId: null, host: 'local' },
    ...{ repository, tag: '1', digest, error: null, bypassed: 'VULN_BLOCKED' },
    ...{ bytesDone: 1, bytesTotal: 1, bytesMounted: 0, bypass: { allowed: true, reason: 'r' } },
    ...{ requestedById, requestedBy, createdAt: new Date(), finishedAt: new Date() },
  };
  await harness.store.jobs.update(id, (job) => ({
    ...job,
    ...{ status: 'pushed' as const, digest, pushes: [push] },
  }));
  await scanned(digest, blockedReport());
  await expect.poll(() => announced(repository)).toHaveLength(1);
  const [blocked] = await announced(repository);
  expect(blocked?.detail.standing).toMatchObject({ state: 'bypassed', by: [requestedBy] });
});

it('a vulnerability is announced when it is found for the first time', async () => {
  await image('first', reportWith([{ id: 'CVE-2026-8000', severity: 'HIGH' }]));
  await expect.poll(() => announced('CVE-2026-8000')).toHaveLength(1);
  const second = await image('second', reportWith([{ id: 'CVE-2026-8000', severity: 'HIGH' }]));
  await expect.poll(() => known(second)).toMatchObject({ passes: false });
  const [event, ...more] = await announced('CVE-2026-8000');
  expect(more).toEqual([]);
  expect(event?.detail).toMatchObject({
    severity: 'HIGH',
    images: 1,
    folders: ['team'],
    owners: [{ name: 'alice' }],
  });
});

describe('without another report', () => {
  const CVE = 'CVE-2026-9000';

  it('a waiver clears an image, and its end blocks it again', async () => {
    const digest = await image('waiver', reportWith([{ id: CVE, severity: 'CRITICAL' }]));
    await expect.poll(() => eventsOf('waiver')).toEqual(['image.blocked']);
    const waiver = await harness.store.waivers.insertWaiver({
      vulnerability: CVE,
      package: null,
      packageVersion: null,
      repository: 'team/waiver',
      digest: null,
      folder: 'team',
      status: 'accepted',
      justification: null,
      reason: 'a test',
      ticket: null,
      vexDocument: null,
      requestedById: harness.admin.id,
      expiresAt: new Date(Date.now() + DAY_MS),
    });
    await harness.store.waivers.save({ ...waiver, state: 'approved' });
    await publishChange(harness.redis, 'gate');
    await expect.poll(() => eventsOf('waiver')).toEqual(['image.blocked', 'image.cleared']);
    await sql.query('UPDATE waivers SET expires_at = now() WHERE id = $1', [waiver.id]);
    await publishChange(harness.redis, 'gate');
    await expect
      .poll(() => eventsOf('waiver'))
      .toEqual(['image.blocked', 'image.cleared', 'image.blocked']);
    expect(await known(digest)).toMatchObject({ passes: false, blocking: [CVE] });
  });

  it('another policy of the folder clears and blocks its images', async () => {
    await image('policy', reportWith([{ id: 'CVE-2026-9100', severity: 'MEDIUM' }]));
    await expect
      .poll(
        async () =>
          (await sql.query(`SELECT 1 FROM image_standings WHERE repository = 'team/policy'`))
            .rowCount,
      )
      .toBe(1);
    expect(await eventsOf('policy')).toEqual([]);
    const rules = [
      {
        severities: ['MEDIUM'] as const,
        fixable: 'any' as const,
        kev: 'any' as const,
        minEpss: null,
        minAgeDays: null,
        packageTypes: 'all' as const,
        action: 'block' as const,
      },
    ];
    const policy = await harness.store.policies.insertPolicy({
      name: `strict-${randomUUID()}`,
      savedBy: 'root',
      rules: {
        rules: rules.map((rule) => ({ ...rule, severities: [...rule.severities] })),
        unscannable: 'block',
        onError: 'block',
        artifacts: 'allow',
        thirdParty: 'partial',
        maxDatabaseAgeDays: null,
        graceDays: 7,
        minAgeHours: 0,
        unlessFixes: 'none',
        signatures: [],
      },
    });
    await harness.store.folders.update(folderId, { policyId: policy.id });
    await publishChange(harness.redis, 'gate');
    await expect.poll(() => eventsOf('policy')).toEqual(['image.blocked']);
    await harness.store.folders.update(folderId, { policyId: null });
    await publishChange(harness.redis, 'gate');
    await expect.poll(() => eventsOf('policy')).toEqual(['image.blocked', 'image.cleared']);
  });
});

it('an image that passed in an enforcing folder is served for the grace period after it is blocked', async () => {
  await harness.store.folders.update(folderId, { pullGate: 'enforce' });
  await publishChange(harness.redis, 'gate');
  const graceOf = async (name: string) => (await announced(`team/${name}`)).at(-1)?.detail;
  const digest = await image('graced', cleanReport());
  await expect.poll(() => known(digest)).toMatchObject({ passes: true });
  expect(await harness.store.passRecords.find('team', digest)).toMatchObject({ blockedAt: null });
  const before = Date.now();
  await scanned(digest, blockedReport());
  await expect.poll(() => eventsOf('graced')).toEqual(['image.blocked']);
  const end = Date.parse((await graceOf('graced'))?.grace_until ?? '');
  expect(end - before).toBeGreaterThanOrEqual(7 * DAY_MS);
  expect(end - Date.now()).toBeLessThanOrEqual(7 * DAY_MS);
  const record = await harness.store.passRecords.find('team', digest);
  expect(record?.blockedAt?.getTime()).toBe(end - 7 * DAY_MS);
  await image('never-passed', blockedReport());
  await expect.poll(() => eventsOf('never-passed')).toEqual(['image.blocked']);
  expect((await graceOf('never-passed'))?.grace_until).toBeNull();
  await harness.store.folders.update(folderId, { pullGate: 'off' });
  await publishChange(harness.redis, 'gate');
});

it('the standing of an image that no tag names any more is removed', async () => {
  const digest = await image('gone', blockedReport());
  await expect.poll(() => known(digest)).toMatchObject({ passes: false });
  await sql.query(`DELETE FROM local_tags WHERE repository = 'team/gone'`);
  await expect.poll(() => known(digest)).toBeUndefined();
});
