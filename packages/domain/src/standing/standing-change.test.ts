import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../settings/settings.ts';
import { defaultPolicy } from './policy.ts';
import type { JudgedSubject } from './pull-decision.ts';
import { findingFixture, standingFixture } from './standing.fixture.ts';
import type { Standing } from './standing.ts';
import { outcomeOf, standingChange } from './standing-change.ts';

describe('a change of standing', () => {
  it.each([
    ['a new image that passes is not announced', null, true, null],
    ['a new image that waits for its scan is not announced', null, null, null],
    ['a new image that is blocked is announced', null, false, 'blocked'],
    ['an image that waited and is blocked is announced', null, false, 'blocked'],
    ['an image that passed and is blocked is announced', true, false, 'blocked'],
    ['a blocked image that passes again is announced', false, true, 'cleared'],
    ['a blocked image that stays blocked is not announced', false, false, null],
    ['an image that waited and passes is not announced', null, true, null],
    ['a blocked image whose report is gone is not cleared', false, null, null],
  ] as const)('%s', (_, before, after, change) => {
    const outcome = (passes: boolean | null) => ({ passes, code: null });
    expect(standingChange(before === null ? null : outcome(before), outcome(after))).toBe(change);
  });
});

const CLEAN = standingFixture([]);

describe('the outcome', () => {
  const now = new Date('2026-11-23T00:00:00Z');
  const policy = { ...defaultPolicy(DEFAULT_POLICY), maxDatabaseAgeDays: 2 };
  const subjectOf = (
    databaseAt: string | null,
    waived: Standing['waived'] = [],
  ): JudgedSubject & { kind: 'image' } => ({
    kind: 'image',
    lastScanFailed: false,
    databaseAt,
    waitsUntil: null,
    signed: CLEAN,
    standing: { ...CLEAN, waived, validUntil: new Date('2026-11-25T00:00:00Z') },
  });

  const until = new Date('2026-11-30T00:00:00Z');
  const COVERED = { finding: findingFixture(), rule: 0, waiverId: 'w', until };

  it('ends when the database becomes too old, if that is first', () => {
    const { passes, validUntil } = outcomeOf(subjectOf('2026-11-22T12:00:00Z'), policy, now);
    expect([passes, validUntil?.toISOString()]).toEqual([true, '2026-11-24T12:00:00.001Z']);
    expect(outcomeOf(subjectOf('2026-11-22T12:00:00Z'), policy, validUntil as Date)).toMatchObject({
      passes: false,
      code: 'DATABASE_TOO_OLD',
    });
  });

  it('passes by waivers alone where one covers what would block it', () => {
    const fresh = '2026-11-22T12:00:00Z';
    expect(outcomeOf(subjectOf(fresh, [COVERED]), policy, now)).toMatchObject({
      passes: true,
      waived: true,
    });
    expect(outcomeOf(subjectOf(null, [COVERED]), policy, now)).toMatchObject({
      passes: false,
      waived: false,
    });
    expect(outcomeOf(subjectOf(fresh), policy, now)).toMatchObject({ passes: true, waived: false });
  });

  it('of an image without a report is open', () => {
    const subject = { ...subjectOf(null), standing: null };
    expect(outcomeOf(subject, policy, now)).toMatchObject({ passes: null, code: null });
  });
});
