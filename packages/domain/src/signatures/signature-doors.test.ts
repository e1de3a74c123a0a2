/** What the doors make of an image that lacks signatures. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { destinationStanding, waiversIn } from '../standing/destination-standing.ts';
import { decidePull, judgeSubject, nextRecord } from '../standing/pull-decision.ts';
import { decidePush, type PushedScan } from '../standing/push-decision.ts';
import {
  daysLater,
  factsFixture,
  findingFixture,
  IMAGE,
  NOW,
  policyFixture,
  standingFixture,
  waiverFixture,
} from '../standing/standing.fixture.ts';
import { outcomeOf, standingChange } from '../standing/standing-change.ts';
import { standingText } from '../standing/standing-text.ts';
import { SIGNATURE } from '../waivers/waiver.ts';
import { requirementFixture, signatureFactsFixture } from './signature.fixture.ts';
import { signaturesOf } from './signature-policy.ts';

const SIGNED = policyFixture({ id: 'p', name: 'prod', signatures: [requirementFixture()] });
const AUTHORITIES = { authorities: new Map([['release', { version: 2 }]]) };
const NONE = { ...AUTHORITIES, signatures: signatureFactsFixture({ facts: [] }) };
const VERIFIED = { ...AUTHORITIES, signatures: signatureFactsFixture() };
const UNKNOWN = { ...AUTHORITIES, signatures: null };
const WAIVERS = [waiverFixture({ vulnerability: SIGNATURE, digest: IMAGE.digest })];
const FINDINGS = [findingFixture()];

type Known = typeof NONE | typeof UNKNOWN;

function subjectOf(
  known: Known,
  { findings = [] as typeof FINDINGS, waivers = [] as typeof WAIVERS } = {},
) {
  const standing = standingFixture(findings, { policy: SIGNED, waivers, ...known });
  const rest = { lastScanFailed: false, databaseAt: null, waitsUntil: null };
  return { kind: 'image' as const, standing, signed: standing, ...rest };
}

const judged = (subject: ReturnType<typeof subjectOf>) =>
  judgeSubject({ subject, policy: SIGNED, now: NOW });

describe('the pull gate', () => {
  it.each([
    ['refuses what is not signed', subjectOf(NONE), { passes: false, code: SIGNATURE }],
    ['refuses what is not verified', subjectOf(UNKNOWN), { code: 'SIGNATURES_NOT_VERIFIED' }],
    ['serves what is signed', subjectOf(VERIFIED), { passes: true }],
    ['names findings first', subjectOf(NONE, { findings: FINDINGS }), { code: 'VULN_BLOCKED' }],
    ['serves what a waiver covers', subjectOf(NONE, { waivers: WAIVERS }), { passes: true }],
  ])('%s', (_, subject, expected) => {
    expect(judged(subject)).toMatchObject(expected);
  });

  it('refuses it also where its scan failed and the policy allows that', () => {
    const policy = { ...SIGNED, onError: 'allow' as const };
    const signed = signaturesOf({ policy, ...NONE, waivers: [], image: IMAGE, now: NOW });
    const subject = { ...subjectOf(NONE), standing: null, lastScanFailed: true, signed };
    expect(judgeSubject({ subject, policy, now: NOW })).toMatchObject({ code: SIGNATURE });
    const waived = signaturesOf({ policy, ...NONE, waivers: WAIVERS, image: IMAGE, now: NOW });
    const until = outcomeOf({ ...subject, signed: waived }, policy, NOW).validUntil;
    expect(until).toEqual(daysLater(1));
  });

  it('serves it in the days of grace, and to an account that may bypass the gate', () => {
    const pull = { mode: 'enforce', policy: SIGNED, subject: subjectOf(NONE), now: NOW } as const;
    const record = { passedAt: daysLater(-1), blockedAt: null };
    expect(decidePull({ ...pull, record, bypasses: false })).toMatchObject({ because: 'grace' });
    expect(decidePull({ ...pull, record: null, bypasses: true })).toMatchObject({ serve: true });
  });
});

describe('a waiver of signatures', () => {
  it('is named by the standing, ends, and begins no days of grace', () => {
    const subject = subjectOf(NONE, { waivers: WAIVERS });
    const { standing } = subject;
    expect([waiversIn(standing), standing.validUntil]).toEqual([['w1'], daysLater(1)]);
    const nothing = { found: null, caveat: null, waivers: WAIVERS, waitsUntil: null };
    const said = destinationStanding({
      judgement: { passes: true, code: null },
      standing,
      ...nothing,
    });
    expect(standingText(said)).toBe('allowed until 2026-11-23');
    const record = nextRecord(null, { subject, policy: SIGNED, now: NOW });
    expect(record).toEqual({ passedAt: null, blockedAt: NOW });
  });

  it('accepts no finding', () => {
    const subject = subjectOf(NONE, { waivers: WAIVERS, findings: FINDINGS });
    expect(judged(subject)).toMatchObject({ code: 'VULN_BLOCKED' });
  });
});

it('is said in words, and announced once it is certain', () => {
  const said = (code: string) =>
    standingText(
      destinationStanding({
        ...{ judgement: { passes: false, code }, standing: subjectOf(NONE).standing },
        ...{ waitsUntil: null, found: null, caveat: null, waivers: [] },
      }),
    );
  expect(said(SIGNATURE)).toBe('blocked · not signed as the policy asks');
  expect(said('SIGNATURES_NOT_VERIFIED')).toBe('blocked · its signatures are not verified yet');
  const waits = { passes: false, code: 'SIGNATURES_NOT_VERIFIED' };
  const unsigned = { passes: false, code: SIGNATURE };
  expect(standingChange(null, waits)).toBeNull();
  expect(standingChange(waits, { passes: true, code: null })).toBeNull();
  expect(standingChange(waits, unsigned)).toBe('blocked');
});

describe('the gate of jobs', () => {
  const scan: PushedScan = {
    ...{ verdict: 'clean', overrides: { vulnScanEnabled: null, vulnSeverities: null } },
    ...{ facts: factsFixture([]), lastScanFailed: false, sightedAt: null },
  };
  const ask = (known: Known, change: Partial<PushedScan> = {}, policy = SIGNED) =>
    decidePush({
      ...{ scan: { ...scan, ...change }, policy, image: IMAGE, settings: DEFAULT_POLICY },
      ...{ waivers: [], feeds: { kev: null, epss: null }, bypasses: false, database: null },
      ...{ now: NOW, ...known },
    });
  const failed = { facts: null, verdict: 'error' as const, lastScanFailed: true };

  it.each([
    ['refuses what is not signed', ask(NONE), 'unsigned'],
    ['refuses what is not verified', ask(UNKNOWN), 'not_verified'],
    ['allows what is signed', ask(VERIFIED), null],
    ['names findings first', ask(NONE, { facts: factsFixture(FINDINGS) }), 'findings'],
    [
      'refuses it where its scan failed',
      ask(NONE, failed, { ...SIGNED, onError: 'allow' }),
      'unsigned',
    ],
    ['allows charts', ask(NONE, { facts: factsFixture([], { artifactType: 'a/chart' }) }), null],
    ['asks nothing of other images', ask(NONE, {}, policyFixture({ id: 'p' })), null],
  ])('%s', (_, { refusal }, expected) => {
    expect(refusal).toBe(expected);
  });
});
