import { describe, expect, it } from 'vitest';
import { policyEffect } from './policy-effect.ts';
import type { SubjectJudgement } from './pull-decision.ts';

const PASSES: SubjectJudgement = { passes: true };
const UNKNOWN: SubjectJudgement = { passes: null };
const BLOCKED: SubjectJudgement = { passes: false, code: 'VULN_BLOCKED' };
const UNCOVERED: SubjectJudgement = { passes: false, code: 'SCAN_REQUIRED' };

describe('the effect of another policy', () => {
  it.each([
    ['is none for what passes under both', PASSES, PASSES, null],
    ['is none for what has no report', UNKNOWN, UNKNOWN, null],
    ['is none for what is blocked for another reason', BLOCKED, UNCOVERED, null],
    ['blocks what passed', PASSES, BLOCKED, { change: 'blocked', code: 'VULN_BLOCKED' }],
    ['allows what was blocked', UNCOVERED, PASSES, { change: 'allowed', code: 'SCAN_REQUIRED' }],
  ])('%s', (_, before, after, expected) => {
    expect(policyEffect(before, after)).toEqual(expected);
  });
});
