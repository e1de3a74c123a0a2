import type { GateDoor, PullGateMode } from '@portcullis/domain';
import { describe, expect, it } from 'vitest';
import { decideAt } from './decide-at.ts';
import { explain } from './explanation.ts';
import { BLOCKED, CLEAN, gateInMemory } from './gate.fixture.ts';

const TRUSTED = { isAdmin: false, canBypassVulnBlock: true };
const SCAN_FAILED = {
  report: null,
  failedScanIn: 'all' as const,
  sightedAt: null,
  signatures: null,
};

function world(pullGate: PullGateMode = 'enforce') {
  const home = gateInMemory();
  home.stored.gates.set('team', {
    policyId: null,
    pushGate: 'report',
    pullGate,
    immutableTags: [],
    quotaBytes: null,
    statements: 'off' as const,
  });
  home.stored.reports
    .set('sha256:clean', CLEAN)
    .set('sha256:blocked', BLOCKED)
    .set('sha256:failed', SCAN_FAILED);
  home.stored.shapes.set('sha256:both', {
    kind: 'index',
    children: ['clean', 'blocked'].map((name) => ({
      digest: `sha256:${name}`,
      platform: name,
      isManifest: true,
    })),
  });
  const at = async (door: GateDoor, digest: string, account?: typeof TRUSTED) => {
    const { gate } = home;
    const question = { door, ...home.pull(`sha256:${digest}`, account) };
    return decideAt(question, { rules: gate.rules, decide: gate.preview });
  };
  return { ...home, at };
}

describe('a door', () => {
  it.each<[GateDoor, string, string, string | null]>([
    ['pull', 'clean', 'served', null],
    ['pull', 'blocked', 'refused', 'VULN_BLOCKED'],
    ['pull', 'new', 'held', 'PENDING'],
    ['pull', 'both', 'served', null],
    ['push', 'clean', 'served', null],
    ['push', 'blocked', 'served', 'VULN_BLOCKED'],
    ['push', 'new', 'served', 'PENDING'],
    ['copy_from', 'clean', 'served', null],
    ['copy_from', 'blocked', 'refused', 'VULN_BLOCKED'],
    ['copy_from', 'new', 'refused', 'SCAN_REQUIRED'],
    ['copy_from', 'failed', 'refused', 'SCAN_REQUIRED'],
    ['copy_from', 'both', 'refused', 'VULN_BLOCKED'],
    ['copy_to', 'clean', 'served', null],
    ['copy_to', 'blocked', 'refused', 'VULN_BLOCKED'],
    ['copy_to', 'new', 'refused', 'SCAN_REQUIRED'],
  ])('%s of what is %s is %s: %s', async (door, digest, outcome, code) => {
    const record = explain(await world().at(door, digest));
    expect(record).toMatchObject({ outcome, code, door, requested_digest: `sha256:${digest}` });
  });

  it.each<GateDoor>(['pull', 'copy_from', 'copy_to'])(
    '%s of a folder that only reports refuses nothing',
    async (door) => {
      expect(explain(await world('report').at(door, 'blocked'))).toMatchObject({
        outcome: 'served',
        because: 'mode',
        mode: 'report',
      });
    },
  );

  it.each<GateDoor>(['pull', 'copy_from', 'copy_to'])(
    '%s lets an account pass that may bypass the gate',
    async (door) => {
      expect(explain(await world().at(door, 'blocked', TRUSTED))).toMatchObject({
        outcome: 'served',
        because: 'bypass',
        bypasses: true,
      });
    },
  );

  it.each<[GateDoor, string, string | null]>([
    ['pull', 'served', 'grace'],
    ['copy_from', 'served', 'grace'],
    ['copy_to', 'refused', null],
  ])('%s in the days of grace is %s', async (door, outcome, because) => {
    const home = world();
    home.stored.records.set('team sha256:blocked', {
      passedAt: new Date('2026-11-01T00:00:00Z'),
      blockedAt: null,
    });
    expect(explain(await home.at(door, 'blocked'))).toMatchObject({ outcome, because });
  });
});

describe('an explanation of a door', () => {
  it('keeps no record, so that no later grace period rests on it', async () => {
    const home = world();
    await home.at('pull', 'clean');
    await home.at('pull', 'blocked');
    expect(home.stored.records.size).toBe(0);
    await home.gate.decide(home.pull('sha256:clean'));
    expect(home.stored.records.size).toBe(1);
  });

  it('names the rules that its findings match, and a short version of the default policy', async () => {
    const { policy } = explain(await world().at('pull', 'blocked'));
    expect(policy).toMatchObject({
      id: null,
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      grace_days: 7,
      rules: [{ position: 0, severities: ['CRITICAL', 'HIGH'], fixable: 'any', action: 'block' }],
    });
  });

  it('says first that an account has no right to use the door', async () => {
    const decided = await world().at('pull', 'clean');
    for (const [code, shown] of [
      ['TOKEN_ACTION', 'FOLDER_FORBIDDEN'],
      ['MIRROR_READ_ONLY', 'MIRROR_READ_ONLY'],
    ] as const)
      expect(explain(decided, { allowed: false, code, reason: '' })).toMatchObject({
        outcome: 'refused',
        code: shown,
        verdict: 'clean',
      });
  });
});
