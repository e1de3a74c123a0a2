import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePull, nextRecord, type PullQuestion } from './pull-decision.ts';
import {
  daysLater,
  findingFixture,
  NOW,
  policyFixture,
  standingFixture,
  waiverFixture,
} from './standing.fixture.ts';

const CLEAN = standingFixture([]);
const FINDINGS = standingFixture([findingFixture({ severity: 'LOW' })]);
const BLOCKED = standingFixture([findingFixture()]);
const WAIVED = standingFixture([findingFixture()], { waivers: [waiverFixture()] });
const UNSCANNABLE = standingFixture([], { facts: { coverage: 'none' } });
const ALLOWING = policyFixture({ unscannable: 'allow', onError: 'allow' });
const TODAY = '2026-11-22T06:00:00Z';

function question(change: Partial<PullQuestion> = {}): PullQuestion {
  return {
    mode: 'enforce',
    policy: policyFixture(),
    subject: {
      kind: 'image',
      standing: CLEAN,
      lastScanFailed: false,
      databaseAt: TODAY,
      waitsUntil: null,
      signed: CLEAN,
    },
    record: null,
    bypasses: false,
    now: NOW,
    ...change,
  };
}

function image(
  standing: typeof CLEAN | null,
  change: { lastScanFailed?: boolean; databaseAt?: string | null } = {},
): PullQuestion['subject'] {
  return {
    kind: 'image',
    standing,
    lastScanFailed: false,
    databaseAt: TODAY,
    waitsUntil: null,
    signed: standing ?? CLEAN,
    ...change,
  };
}

const ARTIFACT = { kind: 'artifact' } as const;
const PASSED = { passedAt: daysLater(-30), blockedAt: null };
const failed = { lastScanFailed: true };
const ofTenDays = policyFixture({ maxDatabaseAgeDays: 10 });

describe('the pull gate', () => {
  it.each<[string, Partial<PullQuestion>, object]>([
    ['serves what is clean', {}, { serve: true, because: 'passes' }],
    ['serves findings that no rule blocks', { subject: image(FINDINGS) }, { serve: true }],
    [
      'refuses what is blocked',
      { subject: image(BLOCKED) },
      { serve: false, code: 'VULN_BLOCKED' },
    ],
    ['serves what a waiver covers', { subject: image(WAIVED) }, { because: 'passes' }],
    ['holds what has no report', { subject: image(null) }, { serve: null }],
    [
      'refuses what the scanner could not cover',
      { subject: image(UNSCANNABLE) },
      { serve: false, code: 'SCAN_REQUIRED' },
    ],
    [
      'serves what it could not cover where the policy accepts that',
      { subject: image(UNSCANNABLE), policy: ALLOWING },
      { serve: true },
    ],
    [
      'refuses what could not be scanned',
      { subject: image(null, failed) },
      { serve: false, code: 'SCAN_FAILED' },
    ],
    [
      'serves what could not be scanned where the policy accepts that',
      { subject: image(null, failed), policy: ALLOWING },
      { serve: true },
    ],
    [
      'refuses what was blocked before its last scan failed',
      { subject: image(BLOCKED, failed), policy: ALLOWING },
      { serve: false, code: 'VULN_BLOCKED' },
    ],
    [
      'refuses a verdict of an old database',
      { policy: ofTenDays, subject: image(CLEAN, { databaseAt: '2026-11-12T11:59:59Z' }) },
      { serve: false, code: 'DATABASE_TOO_OLD' },
    ],
    [
      'refuses a verdict of an unknown database where its age counts',
      { policy: ofTenDays, subject: image(CLEAN, { databaseAt: null }) },
      { serve: false, code: 'DATABASE_TOO_OLD' },
    ],
    ['serves artifacts', { subject: ARTIFACT }, { serve: true }],
    [
      'refuses artifacts where the policy does',
      { subject: ARTIFACT, policy: policyFixture({ artifacts: 'block' }) },
      { serve: false, code: 'ARTIFACT_BLOCKED' },
    ],
    [
      'serves what is blocked to an account that bypasses',
      { subject: image(BLOCKED), bypasses: true },
      { serve: true, because: 'bypass', code: 'VULN_BLOCKED' },
    ],
    [
      'holds nothing back from an account that bypasses',
      { subject: image(null), bypasses: true },
      { serve: true, because: 'bypass', code: 'PENDING' },
    ],
    [
      'only records in the mode report',
      { mode: 'report', subject: image(BLOCKED) },
      { serve: true, because: 'mode', code: 'VULN_BLOCKED' },
    ],
    ['decides nothing in the mode off', { mode: 'off', subject: image(BLOCKED) }, { serve: true }],
    [
      'serves what passed here before for the days of grace',
      { subject: image(BLOCKED), record: { ...PASSED, blockedAt: daysLater(-6) } },
      { serve: true, because: 'grace', until: daysLater(1) },
    ],
    [
      'begins the days of grace with the first refusal',
      { subject: image(BLOCKED), record: PASSED },
      { serve: true, because: 'grace', until: daysLater(7) },
    ],
    [
      'refuses it after them',
      { subject: image(BLOCKED), record: { ...PASSED, blockedAt: daysLater(-7) } },
      { serve: false },
    ],
    [
      'has no grace for what never passed here',
      { subject: image(BLOCKED), record: { passedAt: null, blockedAt: daysLater(-1) } },
      { serve: false },
    ],
    [
      'has no grace where the policy gives none',
      { subject: image(BLOCKED), record: PASSED, policy: policyFixture({ graceDays: 0 }) },
      { serve: false },
    ],
  ])('%s', (_, change, expected) => {
    expect(decidePull(question(change))).toMatchObject(expected);
  });
});

describe('the record of a digest in a folder', () => {
  const next = (record: PullQuestion['record'], standing: typeof CLEAN | null) =>
    nextRecord(record, question({ subject: image(standing) }));

  it.each([
    ['begins with a pass', null, CLEAN, { passedAt: NOW, blockedAt: null }],
    ['keeps the moment of the first pass', PASSED, CLEAN, PASSED],
    ['keeps it when the image is blocked', PASSED, BLOCKED, { ...PASSED, blockedAt: NOW }],
    ['does not take a waiver for a pass', null, WAIVED, { passedAt: null, blockedAt: NOW }],
    ['counts days of grace during a waiver', PASSED, WAIVED, { ...PASSED, blockedAt: NOW }],
    ['says nothing of what has no report', PASSED, null, PASSED],
    [
      'begins again when the image is cleared',
      { ...PASSED, blockedAt: daysLater(-1) },
      CLEAN,
      { passedAt: NOW, blockedAt: null },
    ],
  ])('%s', (_, record, standing, expected) => {
    expect(next(record, standing)).toEqual(expected);
  });

  it('never lets a waiver be prolonged by the days of grace', () => {
    const moments = fc.array(fc.tuple(fc.constantFrom(WAIVED, BLOCKED), fc.nat(20)), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(moments, (steps) => {
        let record: PullQuestion['record'] = null;
        for (const [standing, day] of steps) {
          const now = daysLater(day);
          record = nextRecord(record, question({ subject: image(standing), now }));
        }
        const last = decidePull(question({ subject: image(BLOCKED), record, now: daysLater(21) }));
        expect(last.serve).toBe(false);
      }),
    );
  });
});
