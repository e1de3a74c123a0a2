import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { AGE, type Waiver } from '../waivers/waiver.ts';
import { ageOf } from './cooldown.ts';
import { destinationStanding } from './destination-standing.ts';
import { decidePull, judgeSubject, nextRecord } from './pull-decision.ts';
import { decidePush, type PushedScan } from './push-decision.ts';
import {
  daysLater,
  factsFixture,
  findingFixture,
  IMAGE,
  NOW,
  policyFixture,
  standingFixture,
  UNASKED,
  waiverFixture,
} from './standing.fixture.ts';
import { outcomeOf, standingChange } from './standing-change.ts';
import { standingText } from './standing-text.ts';

const WEEK = policyFixture({ id: 'p', name: 'prod', minAgeHours: 7 * 24 });
const YOUNG = daysLater(-1);
const OLD = daysLater(-7);

function endOf(minAgeHours: number, sightedAt: Date | null): Date | null {
  const policy = { minAgeHours };
  return ageOf({ policy, sightedAt, waivers: [], image: IMAGE, now: NOW }).waitsUntil;
}

function subjectOf(sightedAt: Date | null, policy = WEEK, findings = [] as typeof BLOCKING) {
  const standing = standingFixture(findings, { policy, sightedAt });
  const { waitsUntil } = standing;
  const known = { lastScanFailed: false, databaseAt: null };
  return { kind: 'image' as const, standing, waitsUntil, signed: standing, ...known };
}

const BLOCKING = [findingFixture()];
const signed = standingFixture([]);

describe('an image waits', () => {
  it.each<[string, number, Date | null, Date | null]>([
    ['not where the policy asks for no age', 0, NOW, null],
    ['until it was seen for long enough', 168, YOUNG, daysLater(6)],
    ['not once it was', 168, OLD, null],
    ['as if it were seen now where that is unknown', 168, null, daysLater(7)],
    ['longer where another clock is ahead', 24, daysLater(1), daysLater(2)],
    ['for a year at most', 8_760, NOW, daysLater(365)],
  ])('%s', (_, minAgeHours, sightedAt, until) => {
    expect(endOf(minAgeHours, sightedAt)).toEqual(until);
  });

  it('until a moment at which its standing changes by itself', () => {
    const { waitsUntil, validUntil } = standingFixture([], { policy: WEEK, sightedAt: YOUNG });
    expect([waitsUntil, validUntil]).toEqual([daysLater(6), daysLater(6)]);
    const later = { policy: WEEK, sightedAt: YOUNG, now: daysLater(6) };
    expect(standingFixture([], later)).toMatchObject({ waitsUntil: null, validUntil: null });
  });

  it('whatever its report says of it, which has the reason that needs an act', () => {
    const answers = [subjectOf(YOUNG), subjectOf(YOUNG, WEEK, BLOCKING)].map((subject) =>
      judgeSubject({ subject, policy: WEEK, now: NOW }),
    );
    expect(answers).toEqual([
      { passes: false, code: 'TOO_YOUNG' },
      { passes: false, code: 'VULN_BLOCKED' },
    ]);
  });

  it('also where its scan failed and the policy allows that', () => {
    const policy = { ...WEEK, onError: 'allow' as const };
    const failed = { standing: null, lastScanFailed: true, databaseAt: null, signed };
    const subject = { kind: 'image' as const, ...failed, waitsUntil: daysLater(6) };
    expect(judgeSubject({ subject, policy, now: NOW })).toMatchObject({ code: 'TOO_YOUNG' });
    expect(outcomeOf(subject, policy, NOW).validUntil).toEqual(daysLater(6));
  });

  it('not where it was not scanned yet: the scan is asked for first', () => {
    const none = { standing: null, lastScanFailed: false, databaseAt: null, signed };
    const subject = { kind: 'image' as const, ...none, waitsUntil: daysLater(6) };
    expect(judgeSubject({ subject, policy: WEEK, now: NOW })).toEqual({ passes: null });
  });

  it('not where it is no container image', () => {
    const subject = { kind: 'artifact' as const };
    expect(judgeSubject({ subject, policy: WEEK, now: NOW })).toEqual({ passes: true });
  });
});

describe('an image that is too young', () => {
  const pull = { mode: 'enforce', policy: WEEK, subject: subjectOf(YOUNG), now: NOW } as const;

  it('is refused at the pull gate', () => {
    const decision = decidePull({ ...pull, record: null, bypasses: false });
    expect(decision).toEqual({ serve: false, code: 'TOO_YOUNG' });
  });

  it('is served in the days of grace where it passed under the policy of before', () => {
    const record = { passedAt: daysLater(-1), blockedAt: null };
    const decision = decidePull({ ...pull, record, bypasses: false });
    expect(decision).toMatchObject({ because: 'grace', code: 'TOO_YOUNG', until: daysLater(7) });
  });

  it('is served to an account that may bypass the gate', () => {
    const decision = decidePull({ ...pull, record: null, bypasses: true });
    expect(decision).toMatchObject({ serve: true, because: 'bypass', code: 'TOO_YOUNG' });
  });

  it('says until when it waits, in the words of every list and command', () => {
    const judgement = { passes: false, code: 'TOO_YOUNG' };
    const { standing, waitsUntil } = subjectOf(YOUNG);
    const nothing = { found: null, caveat: null, waivers: [] };
    const said = destinationStanding({ judgement, standing, waitsUntil, ...nothing });
    expect(said).toMatchObject({ state: 'blocked', code: 'TOO_YOUNG', until: daysLater(6) });
    expect(standingText(said)).toBe('waits until 2026-11-28 12:00 UTC');
  });

  it('is not announced, and not when it passes', () => {
    const waits = { passes: false, code: 'TOO_YOUNG' };
    const blocked = { passes: false, code: 'VULN_BLOCKED' };
    const passing = { passes: true, code: null };
    expect(standingChange(null, waits)).toBeNull();
    expect(standingChange(passing, waits)).toBeNull();
    expect(standingChange(waits, passing)).toBeNull();
    expect(standingChange(waits, blocked)).toBe('blocked');
  });
});

describe('a waiver of an age', () => {
  const waiver = (change: Partial<Waiver> = {}) =>
    waiverFixture({ vulnerability: AGE, digest: IMAGE.digest, folder: 'team', ...change });
  const age = (change: Partial<Waiver> = {}, minAgeHours = 168) => {
    const waivers = [waiver(change)];
    return ageOf({ policy: { minAgeHours }, sightedAt: YOUNG, waivers, image: IMAGE, now: NOW });
  };
  const waits = { waitsUntil: daysLater(6), ageWaiver: null };

  it.each<[string, Partial<Waiver>, object]>([
    ['lets its digest pass', {}, { waitsUntil: null }],
    ['is for no other digest', { digest: 'sha256:b' }, waits],
    ['is for no other folder', { folder: 'other' }, waits],
    ['is for no other repository', { repository: 'team/other' }, waits],
    ['does not count before it is approved', { state: 'requested' }, waits],
    ['does not count once it was revoked', { state: 'revoked' }, waits],
    ['does not count after its end', { expiresAt: NOW }, waits],
    ['is not one of a vulnerability', { vulnerability: 'CVE-2026-1' }, waits],
  ])('%s', (_, change, expected) => {
    expect(age(change)).toMatchObject(expected);
  });

  it('counts until its end, or until the image is old enough', () => {
    expect(age().ageWaiver).toEqual({ waiverId: 'w1', until: daysLater(1) });
    expect(age({ expiresAt: daysLater(30) }).ageWaiver?.until).toEqual(daysLater(6));
    expect(age({}, 0)).toEqual({ waitsUntil: null, ageWaiver: null });
  });

  it('is named by the standing, with who approved it, and accepts no finding', () => {
    const approvals = [{ accountId: 'u2', username: 'rita', at: NOW }];
    const waivers = [waiver({ approvals })];
    const known = { policy: WEEK, sightedAt: YOUNG, waivers };
    const standing = standingFixture([], known);
    expect(standing.validUntil).toEqual(daysLater(1));
    const nothing = { found: null, caveat: null, waivers, waitsUntil: null };
    const judgement = { passes: true, code: null };
    const said = destinationStanding({ judgement, standing, ...nothing });
    expect(standingText(said)).toBe('allowed until 2026-11-23 by rita');
    expect(standingFixture(BLOCKING, known).verdict).toBe('blocked');
  });

  it('begins no days of grace', () => {
    const standing = standingFixture([], {
      ...{ policy: WEEK, sightedAt: YOUNG },
      waivers: [waiver()],
    });
    const subject = { ...subjectOf(YOUNG), standing, waitsUntil: null };
    expect(nextRecord(null, { subject, policy: WEEK, now: NOW })).toEqual({
      passedAt: null,
      blockedAt: NOW,
    });
  });
});

describe('the gate of jobs', () => {
  const scan: PushedScan = {
    verdict: 'clean',
    overrides: { vulnScanEnabled: null, vulnSeverities: null },
    facts: factsFixture([]),
    lastScanFailed: false,
    sightedAt: YOUNG,
  };
  const ask = (change: Partial<PushedScan>, policy = WEEK, now = NOW) =>
    decidePush({
      scan: { ...scan, ...change },
      policy,
      now,
      image: IMAGE,
      settings: DEFAULT_POLICY,
      waivers: [],
      feeds: { kev: null, epss: null },
      bypasses: false,
      database: null,
      ...UNASKED,
    });

  it.each<[string, ReturnType<typeof ask>, string | null, Date | null]>([
    ['refuses what is too young', ask({}), 'too_young', daysLater(6)],
    ['allows it at that moment', ask({}, WEEK, daysLater(6)), null, null],
    ['allows what is old enough', ask({ sightedAt: OLD }), null, null],
    ['refuses what it knows no age of', ask({ sightedAt: null }), 'too_young', daysLater(7)],
    ['names findings first', ask({ facts: factsFixture(BLOCKING) }), 'findings', daysLater(6)],
    [
      'refuses it where its scan failed and that is allowed',
      ask({ facts: null, verdict: 'error', lastScanFailed: true }, { ...WEEK, onError: 'allow' }),
      'too_young',
      daysLater(6),
    ],
    [
      'allows artifacts at any age',
      ask({ facts: factsFixture([], { artifactType: 'a/chart' }) }),
      null,
      daysLater(6),
    ],
  ])('%s', (_, { refusal, waitsUntil }, expected, until) => {
    expect([refusal, waitsUntil]).toEqual([expected, until]);
  });
});

it('an image that waits longer under a policy waits for no shorter time under a stricter one', () => {
  const hours = fc.integer({ min: 0, max: 8_760 });
  const seen = fc.integer({ min: -10_000, max: 0 }).map((h) => new Date(NOW.getTime() + h * 3.6e6));
  fc.assert(
    fc.property(hours, hours, seen, (one, other, sightedAt) => {
      const ends = [Math.min(one, other), Math.max(one, other)].map(
        (minAgeHours) => endOf(minAgeHours, sightedAt) ?? NOW,
      );
      expect(Number(ends[0])).toBeLessThanOrEqual(Number(ends[1]));
    }),
  );
});
