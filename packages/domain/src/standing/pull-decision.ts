/**
 * The pull gate: whether an image of the local registry is served to an account. It decides by
 * the standing of the digest that is served, never by what the client says about itself.
 */

import type { ImageSignatures } from '../signatures/signature-policy.ts';
import { soonestOf } from '../waivers/soonest.ts';
import type { PolicyRules } from './policy.ts';
import { type Standing, waiversBeside } from './standing.ts';

const DAY_MS = 86_400_000;

/** Where images enter and leave folders of the local registry. */
export const GATE_DOORS = ['pull', 'push', 'copy_from', 'copy_to'] as const;
export type GateDoor = (typeof GATE_DOORS)[number];

/** `off`: pulls are not decided. `report`: refusals are recorded. `enforce`: they are refused. */
export const PULL_GATE_MODES = ['off', 'report', 'enforce'] as const;
export type PullGateMode = (typeof PULL_GATE_MODES)[number];

/** `off`: what is pushed over `/v2` is not scanned. */
export const PUSH_GATE_MODES = ['off', 'report'] as const;
export type PushGateMode = (typeof PUSH_GATE_MODES)[number];

/** What is known of a digest: a container image, or another artifact. */
export type JudgedSubject =
  | {
      kind: 'image';
      /** Null: there is no report yet. */
      standing: Standing | null;
      /** Whether the last scan failed; the standing is then of an earlier one. */
      lastScanFailed: boolean;
      /** Build time of the database behind the report. */
      databaseAt: string | null;
      /** Until when its age alone keeps it from passing; null: it is old enough. */
      waitsUntil: Date | null;
      /** What the policy asks of its signatures, with or without a report. */
      signed: ImageSignatures;
    }
  | { kind: 'artifact' };

/**
 * What happened to the digest in this folder before, apart from waivers: what passed by a waiver
 * alone counts as blocked, so that no grace period prolongs a waiver.
 */
export interface PassRecord {
  /** Since when it passed, before it was blocked; null: it never passed. */
  passedAt: Date | null;
  /** Since when it has been blocked; null: it is not. */
  blockedAt: Date | null;
}

export interface PullQuestion {
  mode: PullGateMode;
  policy: Omit<PolicyRules, 'rules' | 'thirdParty'>;
  subject: JudgedSubject;
  record: PassRecord | null;
  bypasses: boolean;
  now: Date;
}

export const REFUSAL_CODES = [
  'VULN_BLOCKED',
  'SCAN_REQUIRED',
  'SCAN_FAILED',
  'DATABASE_TOO_OLD',
  'ARTIFACT_BLOCKED',
  'SIGNATURE_MISSING',
  'SIGNATURES_NOT_VERIFIED',
  'TOO_YOUNG',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The judgement before the mode, the grace period and the account's rights. */
export type SubjectJudgement =
  | { passes: true }
  | { passes: false; code: RefusalCode }
  /** No scan has ended yet. */
  | { passes: null };

export type PullDecision =
  | { serve: true; because: 'passes' | 'mode' }
  | { serve: true; because: 'grace'; code: RefusalCode; until: Date }
  | { serve: true; because: 'bypass' | 'mode'; code: RefusalCode | 'PENDING' }
  | { serve: false; code: RefusalCode }
  /** The client should wait for the scan and ask again. */
  | { serve: null };

export function judgeSubject({
  subject,
  policy,
  now,
}: Pick<PullQuestion, 'subject' | 'policy' | 'now'>): SubjectJudgement {
  if (subject.kind === 'artifact')
    return policy.artifacts === 'allow'
      ? { passes: true }
      : { passes: false, code: 'ARTIFACT_BLOCKED' };
  const { standing, lastScanFailed, databaseAt, waitsUntil, signed } = subject;
  if (standing?.verdict === 'blocked') return { passes: false, code: 'VULN_BLOCKED' };
  if (lastScanFailed && policy.onError === 'block') return { passes: false, code: 'SCAN_FAILED' };
  if (!standing && !lastScanFailed) return { passes: null };
  if (standing?.verdict === 'unscannable' && policy.unscannable === 'block')
    return { passes: false, code: 'SCAN_REQUIRED' };
  if (standing && isOlder(databaseAt, policy, now))
    return { passes: false, code: 'DATABASE_TOO_OLD' };
  if (signed.unsigned !== null) return { passes: false, code: signed.unsigned };
  // The last reason, because it alone passes by itself.
  return waitsUntil === null ? { passes: true } : { passes: false, code: 'TOO_YOUNG' };
}

/** Until when the gate is to ask again at the latest; null: the decision rests on no moment. */
export function validUntilOf(subject: JudgedSubject): Date | null {
  if (subject.kind === 'artifact') return null;
  if (subject.standing !== null) return subject.standing.validUntil;
  return soonestOf([subject.waitsUntil, subject.signed.signaturesUntil]);
}

function isOlder(
  databaseAt: string | null,
  { maxDatabaseAgeDays }: PullQuestion['policy'],
  now: Date,
): boolean {
  if (maxDatabaseAgeDays === null) return false;
  // An unknown date compares as NaN and is too old.
  return !(now.getTime() - Date.parse(databaseAt ?? '') <= maxDatabaseAgeDays * DAY_MS);
}

export function decidePull(question: PullQuestion): PullDecision {
  const { mode, bypasses, now } = question;
  if (mode === 'off') return { serve: true, because: 'mode' };
  const verdict = judgeSubject(question);
  if (verdict.passes) return { serve: true, because: 'passes' };
  const code = verdict.passes === null ? 'PENDING' : verdict.code;
  if (mode === 'report') return { serve: true, because: 'mode', code };
  if (bypasses) return { serve: true, because: 'bypass', code };
  if (verdict.passes === null) return { serve: null };
  const until = graceEnd(question);
  if (until !== null && until > now)
    return { serve: true, because: 'grace', code: verdict.code, until };
  return { serve: false, code: verdict.code };
}

/** The end of the grace period of an image that passed before; null where it has none. */
export function graceEnd({
  record,
  policy,
  now,
}: Pick<PullQuestion, 'record' | 'policy' | 'now'>): Date | null {
  if (!record?.passedAt || policy.graceDays === 0) return null;
  const blockedAt = record.blockedAt ?? now;
  return new Date(blockedAt.getTime() + policy.graceDays * DAY_MS);
}

type WaivedStanding = Pick<Standing, 'waived' | 'ageWaiver' | 'signatureWaiver'>;

/** Whether it passes only because waivers cover what would refuse it. */
export function isWaivedIn(standing: WaivedStanding | null): boolean {
  return standing !== null && (standing.waived.length > 0 || waiversBeside(standing).length > 0);
}

/** The record after a judgement; the same object where nothing changes. */
export function nextRecord(
  record: PassRecord | null,
  question: Omit<PullQuestion, 'record' | 'mode' | 'bypasses'>,
): PassRecord | null {
  const { subject, now } = question;
  const verdict = judgeSubject(question);
  if (verdict.passes === null) return record;
  // What passes because a scan failed is not known to be harmless.
  if (verdict.passes && subject.kind === 'image' && subject.standing === null) return record;
  const isWaived = subject.kind === 'image' && isWaivedIn(subject.standing);
  if (verdict.passes && !isWaived) {
    if (record?.passedAt && record.blockedAt === null) return record;
    return { passedAt: now, blockedAt: null };
  }
  if (record?.blockedAt) return record;
  return { passedAt: record?.passedAt ?? null, blockedAt: now };
}
