import { describe, expect, it } from 'vitest';
import { jobFixture } from '../pipeline/staging.fixture.ts';
import { USUAL_BYPASS } from '../policy/bypass.ts';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { decidePush, scanOfJob } from '../standing/push-decision.ts';
import { IMAGE, NOW, policyFixture, UNASKED } from '../standing/standing.fixture.ts';
import { queuedPush } from '../transfer/transfer.ts';
import { aimedAt, bypassedByOf, destinationOfJob, jobStanding } from './job-standing.ts';
import type { Push, StagingJob } from './staging-job.ts';

const PLACE = {
  ...{ kind: 'local' as const, registryId: '__local__', host: 'registry.example' },
  ...{ repository: 'team/app', tag: '1' },
};

function push(change: Partial<Push> = {}): Push {
  const by = { id: 'u2', username: 'root' };
  const made = queuedPush(PLACE, { by, pushId: 'p', now: NOW, bypass: USUAL_BYPASS });
  return { ...made, status: 'done', ...change };
}

describe('the place of a job', () => {
  const destination = { ...PLACE, folder: 'prod', repository: 'prod/app' };
  it('is none as long as none was chosen', () => {
    expect(destinationOfJob(jobFixture())).toBeNull();
  });
  it('is that of the pull, until it is pushed', () => {
    expect(destinationOfJob(jobFixture({ destination }))).toMatchObject({ repository: 'prod/app' });
    const pushed = jobFixture({ destination, pushes: [push()] });
    expect(destinationOfJob(pushed)).toMatchObject({ repository: 'team/app' });
  });
  it('is given once, for a job of that account', () => {
    const job = jobFixture({ ownerId: 'u1' });
    expect(aimedAt(job, 'u1', destination)).toEqual({ ...job, destination });
    expect(aimedAt(job, 'u2', destination)).toBeNull();
    expect(aimedAt(jobFixture({ ownerId: 'u1', destination }), 'u1', destination)).toBeNull();
    expect(aimedAt(jobFixture({ ownerId: 'u1', pushes: [push()] }), 'u1', destination)).toBeNull();
  });
});

describe('the privilege that brought an image there', () => {
  const bypassed = push({ bypassed: 'VULN_BLOCKED' });
  it.each<[string, Push[], string | null]>([
    ['is that of the last push', [bypassed], 'root'],
    ['is none where the gate let it pass', [push()], null],
    ['stays after a later push that failed', [bypassed, push({ status: 'failed' })], 'root'],
    ['is not that of a push to another place', [bypassed, push({ repository: 'x/app' })], null],
    ['is none once it was pushed there without', [bypassed, push()], null],
    ['is none of a push that failed', [push({ ...bypassed, status: 'failed' })], null],
  ])('%s', (_, pushes, expected) => {
    expect(bypassedByOf({ pushes })).toBe(expected);
  });
});

describe('the standing of a job', () => {
  function standing(change: Partial<StagingJob>) {
    const job = jobFixture(change);
    const scan = scanOfJob(job);
    const decision = decidePush({
      ...{ scan, image: IMAGE, policy: policyFixture(), settings: DEFAULT_POLICY, waivers: [] },
      ...{ feeds: { kev: null, epss: null }, bypasses: false, database: null, now: NOW },
      ...UNASKED,
    });
    return jobStanding(job, decision, { scan, waivers: [] });
  }

  it.each([
    ['pull_queued', 'pull'],
    ['pulling', 'pull'],
    ['scan_queued', 'scan'],
    ['scanning', 'scan'],
  ] as const)('of one that is %s waits for the %s', (status, waitsFor) => {
    expect(standing({ status })).toMatchObject({ state: 'waits', waitsFor });
  });

  it('waits again while it is scanned again', () => {
    expect(standing({ status: 'scanning', verdict: 'clean' })).toMatchObject({ state: 'waits' });
  });

  it.each(['failed', 'cancelled'] as const)('is none of one that %s before its scan', (status) => {
    expect(standing({ status })).toBeNull();
  });

  it('of an image without a scan is not that of a harmless one', () => {
    const overrides = { vulnScanEnabled: false, vulnSeverities: null };
    const skipped = standing({ status: 'staged', verdict: 'skipped', overrides });
    expect(skipped).toMatchObject({ state: 'blocked', code: 'OVERRIDE_FORBIDDEN' });
  });

  it('of a failed scan is blocked unless the policy allows such images', () => {
    expect(standing({ status: 'staged', verdict: 'error' })).toMatchObject({
      ...{ state: 'blocked', code: 'SCAN_REQUIRED' },
    });
  });
});
