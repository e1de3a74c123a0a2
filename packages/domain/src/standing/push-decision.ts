/**
 * The gate of staging jobs: whether an image may be written to its destination. The job's report is
 * judged under the policy of the destination, when a push is requested and again when it runs.
 */
import type { ThreatFeeds } from '../feeds/threat-feeds.ts';
import type { GateCode } from '../job/blocked-job.ts';
import { isRated, isTooOld, type JudgedJob, lastScanFailed } from '../policy/stored-verdict.ts';
import { mayOverride, scanWanted } from '../policy/verdict.ts';
import { RATED_VERDICTS, type ScanPolicy, type Verdict } from '../policy/vulnerability.ts';
import type { Authorities, SignatureFacts } from '../signatures/signature-facts.ts';
import {
  type ImageSignatures,
  type SignatureCode,
  signaturesOf,
} from '../signatures/signature-policy.ts';
import type { JudgedImage, Waiver } from '../waivers/waiver.ts';
import { ageOf } from './cooldown.ts';
import { bentBy, type Policy } from './policy.ts';
import { factsOf, type ReportFacts } from './report-facts.ts';
import { type Standing, standingOf } from './standing.ts';

/** What the decision depends on of a scan: that of a job, or one that is stored for a digest. */
export interface PushedScan extends Pick<JudgedJob, 'verdict' | 'overrides'> {
  /** Null without a report that could be judged. */
  facts: ReportFacts | null;
  /** The newest scan failed, so that the facts are of an earlier one. */
  lastScanFailed: boolean;
  /** When this installation first saw the image; null where it is unknown. */
  sightedAt: Date | null;
}

export interface PushQuestion {
  scan: PushedScan;
  /** What is pushed, and where. */
  image: JudgedImage;
  /** The policy of the destination. Overrides of the job apply to the default policy alone. */
  policy: Policy;
  settings: ScanPolicy;
  /** May contain waivers of other vulnerabilities and scopes. */
  waivers: readonly Waiver[];
  feeds: ThreatFeeds;
  /** Of the image; null where they were not asked for yet. */
  signatures: SignatureFacts | null;
  authorities: Authorities;
  /** Whether the requester has the privilege to push what is blocked, and uses it. */
  bypasses: boolean;
  /**
   * Build time of the vulnerability database that a scan would use now; null where no scan can run.
   */
  database: string | null;
  now: Date;
}

const CODES = {
  findings: 'VULN_BLOCKED',
  never_scanned: 'SCAN_REQUIRED',
  not_scanned_yet: 'SCAN_REQUIRED',
  not_covered: 'SCAN_REQUIRED',
  scan_failed: 'SCAN_REQUIRED',
  database_age: 'DATABASE_TOO_OLD',
  override: 'OVERRIDE_FORBIDDEN',
  artifact: 'ARTIFACT_BLOCKED',
  unsigned: 'SIGNATURE_MISSING',
  not_verified: 'SIGNATURES_NOT_VERIFIED',
  too_young: 'TOO_YOUNG',
} as const satisfies Record<string, GateCode>;

export type PushRefusal = keyof typeof CODES;

export function codeOfRefusal(refusal: PushRefusal): GateCode {
  return CODES[refusal];
}

export interface PushDecision {
  allowed: boolean;
  /** What refuses the push to accounts without the privilege; null where nothing does. */
  refusal: PushRefusal | null;
  /** Null where the job has no report that could be judged. */
  standing: Standing | null;
  /** Until when its age alone keeps the image from passing; null: it is old enough. */
  waitsUntil: Date | null;
  /** What the policy asks of its signatures, with or without a report. */
  signed: ImageSignatures;
  /** As it was applied, with the overrides of the job. */
  policy: Policy;
}

export function scanOfJob(job: JudgedJob): PushedScan {
  const { verdict, overrides, vulnResult, sightedAt } = job;
  const facts = vulnResult !== null && isRated(job) ? factsOf(vulnResult) : null;
  return { verdict, overrides, facts, lastScanFailed: lastScanFailed(job), sightedAt };
}

export function decidePush(question: PushQuestion): PushDecision {
  const { scan, bypasses } = question;
  const policy = isNamed(question) ? question.policy : bentBy(question.policy, scan.overrides);
  const { sightedAt } = scan;
  const applied = { ...question, policy, sightedAt };
  const standing = scan.facts && standingOf({ ...applied, facts: scan.facts });
  const waitsUntil = (standing ?? ageOf(applied)).waitsUntil;
  const signed = standing ?? signaturesOf(applied);
  const refusal = refusalOf(applied, standing, { waitsUntil, signed });
  const allowed = refusal === null || bypasses;
  return { allowed, refusal, standing, waitsUntil, signed, policy };
}

function isNamed({ policy }: Pick<PushQuestion, 'policy'>): boolean {
  return policy.id !== null;
}

/**
 * Stored findings are judged also after a later scan failed: then the rule for failed scans applies
 * as well, and the stricter answer wins.
 */
function refusalOf(
  question: PushQuestion,
  standing: Standing | null,
  { waitsUntil, signed }: Pick<PushDecision, 'waitsUntil' | 'signed'>,
): PushRefusal | null {
  if (standing && isArtifact(question))
    return question.policy.artifacts === 'allow' ? null : 'artifact';
  const refusal = byVerdict(verdictIn(question, standing), question);
  if (refusal !== null) return refusal;
  if (usesOldDatabase(question)) return 'database_age';
  if (signed.unsigned !== null) return UNSIGNED[signed.unsigned];
  return waitsUntil === null ? null : 'too_young';
}

const UNSIGNED = {
  SIGNATURE_MISSING: 'unsigned',
  SIGNATURES_NOT_VERIFIED: 'not_verified',
} as const satisfies Record<SignatureCode, PushRefusal>;

/** The scan settings have no rule for artifacts: what the scanner does not know is not covered. */
function isArtifact(question: PushQuestion): boolean {
  return isNamed(question) && typeof question.scan.facts?.artifactType === 'string';
}

function verdictIn(question: PushQuestion, standing: Standing | null): Verdict {
  if (standing) return standing.verdict;
  const { verdict } = question.scan;
  // Without its findings, a verdict of the scan settings says nothing about another policy.
  return isNamed(question) && isVerdictOfFindings(verdict) ? 'pending' : verdict;
}

function byVerdict(verdict: Verdict, question: PushQuestion): PushRefusal | null {
  const { scan, policy, settings } = question;
  const { lastScanFailed: failed } = scan;
  if (verdict === 'blocked') return 'findings';
  if (verdict === 'pending') return 'not_scanned_yet';
  if (verdict === 'skipped')
    return isNamed(question) || scanWanted(settings, scan.overrides)
      ? 'never_scanned'
      : overrideOf(question);
  if (failed && policy.onError === 'block') return 'scan_failed';
  if (verdict === 'unscannable' && policy.unscannable === 'block') return 'not_covered';
  // What was found and what could not be covered may pass only by the job's own severity list.
  const hasFindings = verdict !== 'clean' && verdict !== 'error';
  return hasFindings || (failed && scan.facts !== null) ? overrideOf(question) : null;
}

/** An account without the privilege may have relaxed the settings while it still had it. */
function overrideOf(question: PushQuestion): PushRefusal | null {
  if (isNamed(question)) return null;
  const { settings, scan } = question;
  return mayOverride(settings, scan.overrides, UNPRIVILEGED).allowed ? null : 'override';
}

const UNPRIVILEGED = { isAdmin: false, canBypassVulnBlock: false };

/** A newer database counts only if the image will be scanned with it before the push. */
function usesOldDatabase({ scan, policy, settings, database, now }: PushQuestion): boolean {
  const { facts, overrides, verdict } = scan;
  const next = scanWanted(settings, overrides) && !scan.lastScanFailed ? database : null;
  const rests = facts !== null || isVerdictOfFindings(verdict);
  return rests && isTooOld(facts?.databaseAt ?? null, policy, { database: next, now });
}

function isVerdictOfFindings(verdict: Verdict): boolean {
  return RATED_VERDICTS.some((rated) => rated === verdict);
}
