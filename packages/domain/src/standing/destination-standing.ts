/**
 * The standing of an image for one destination, as every list, page, command and message states it
 * (docs/decisions/0085). It is the answer of the policy there: the privilege of an account to
 * bypass the gate changes it only where it was used.
 */

import { countBySeverity } from '../policy/verdict.ts';
import type { SeverityCounts } from '../policy/vulnerability.ts';
import { soonestOf } from '../waivers/soonest.ts';
import type { Waiver } from '../waivers/waiver.ts';
import { byVulnerability, totalsOf } from './by-vulnerability.ts';
import { isWaivedIn, type JudgedSubject, type SubjectJudgement } from './pull-decision.ts';
import type { ReportFacts } from './report-facts.ts';
import { type Standing, waiversBeside } from './standing.ts';

export const STANDING_STATES = [
  'passes',
  'blocked',
  /** It passes only because of waivers, until the first of them ends. */
  'allowed',
  /** It was blocked, and an account with the privilege pushed it. */
  'bypassed',
  /** No scan says more yet. */
  'waits',
] as const;
export type StandingState = (typeof STANDING_STATES)[number];

/** Why it is not known to be harmless although it passes. */
export const STANDING_CAVEATS = ['not_scanned', 'not_covered', 'scan_failed', 'artifact'] as const;
export type StandingCaveat = (typeof STANDING_CAVEATS)[number];

/** What a waiting image waits for. */
export const STANDING_WAITS = ['pull', 'scan'] as const;
export type StandingWait = (typeof STANDING_WAITS)[number];

export interface DestinationStanding {
  state: StandingState;
  /** Why the policy refuses it; null where it does not. */
  code: string | null;
  /** Vulnerabilities that block it, each once. */
  blockingTotal: number;
  /** Of those, how many an update of each of their packages clears. */
  fixableTotal: number;
  /** The ids of the worst five of them. */
  blocking: string[];
  /** Those that block, by severity. */
  blockingCounts: SeverityCounts;
  /** All that were found, by severity; null without a report. */
  found: SeverityCounts | null;
  /** Vulnerabilities that would block it without a waiver. */
  waivedTotal: number;
  /**
   * When the first waiver ends without which it would be blocked; of an image that is too young,
   * until when it waits.
   */
  until: Date | null;
  /** Usernames: who approved the waivers, or who bypassed the gate. The first five. */
  by: string[];
  waitsFor: StandingWait | null;
  caveat: StandingCaveat | null;
}

export interface StandingQuestion {
  judgement: { passes: boolean | null; code: string | null };
  /** Null without a report. */
  standing: Standing | null;
  /** Until when its age alone keeps it from passing. */
  waitsUntil: Date | null;
  found: SeverityCounts | null;
  caveat: StandingCaveat | null;
  /** May contain those of other vulnerabilities and scopes. */
  waivers: readonly Pick<Waiver, 'id' | 'approvals'>[];
  waitsFor?: StandingWait | null;
}

const MOST_NAMED = 5;
const NOTHING: Pick<Standing, 'blocking' | 'waived' | 'warned'> = {
  blocking: [],
  waived: [],
  warned: [],
};

export function destinationStanding(question: StandingQuestion): DestinationStanding {
  const { judgement, standing, found, caveat, waitsFor = 'scan' } = question;
  const { blocking, fixable, severities, waived } = totalsOf(standing ?? NOTHING);
  const state = stateOf(question);
  const isAllowed = state === 'allowed';
  return {
    state,
    code: judgement.passes === false ? judgement.code : null,
    ...{ blockingTotal: blocking, fixableTotal: fixable, blockingCounts: severities },
    blocking: worstOf(standing ?? NOTHING),
    ...{ found, waivedTotal: waived },
    until: untilOf(question, state),
    by: isAllowed ? approversOf(question) : [],
    waitsFor: state === 'waits' ? waitsFor : null,
    caveat: judgement.passes ? caveat : null,
  };
}

/** A standing has the worst first. */
function worstOf({ blocking }: Pick<Standing, 'blocking'>): string[] {
  const ids = new Set(blocking.map(({ finding }) => finding.id));
  return [...ids].slice(0, MOST_NAMED);
}

function untilOf(
  { judgement: { passes, code }, standing, waitsUntil }: StandingQuestion,
  state: StandingState,
): Date | null {
  if (passes === false && code === 'TOO_YOUNG') return waitsUntil;
  return state === 'allowed' && standing ? firstEnd(standing) : null;
}

function stateOf({ judgement: { passes }, standing }: StandingQuestion): StandingState {
  if (passes === null) return 'waits';
  if (!passes) return 'blocked';
  return isWaivedIn(standing) ? 'allowed' : 'passes';
}

/** @param by the account whose privilege brought the image to the destination; null: none */
export function withBypass<T extends DestinationStanding>(standing: T, by: string | null): T {
  if (by === null || standing.state !== 'blocked') return standing;
  return { ...standing, state: 'bypassed', by: [by] };
}

function approversOf({ standing, waivers }: StandingQuestion): string[] {
  const used = new Set(standing && waiversIn(standing));
  const names = waivers
    .filter(({ id }) => used.has(id))
    .flatMap(({ approvals }) => approvals.map(({ username }) => username));
  return [...new Set(names)].sort().slice(0, MOST_NAMED);
}

/** Those without which the image would not pass. */
export function waiversIn(standing: Standing): string[] {
  return [...standing.waived, ...waiversBeside(standing)].map(({ waiverId }) => waiverId);
}

/** When the first waiver ends that the image passes by; null: it passes by none. */
export function firstEnd(standing: Standing): Date | null {
  return soonestOf([...standing.waived, ...waiversBeside(standing)].map(({ until }) => until));
}

/** All vulnerabilities of a report, by the worst severity of their packages. */
export function foundIn({ findings }: Pick<ReportFacts, 'findings'>): SeverityCounts {
  return countBySeverity(byVulnerability(findings.map((finding) => ({ finding }))));
}

/** What is not known of an image that passes. */
export function caveatOf({
  standing,
  lastScanFailed,
  isArtifact,
}: {
  standing: Standing | null;
  lastScanFailed: boolean;
  isArtifact: boolean;
}): StandingCaveat | null {
  if (isArtifact) return 'artifact';
  if (lastScanFailed) return 'scan_failed';
  if (standing === null) return 'not_scanned';
  return standing.verdict === 'unscannable' ? 'not_covered' : null;
}

/** The standing of an image of the local registry, for the folder that it is in. */
export function subjectStanding(
  subject: JudgedSubject,
  judgement: SubjectJudgement,
  { standing, found, waivers }: Pick<StandingQuestion, 'standing' | 'found' | 'waivers'>,
): DestinationStanding {
  const { passes } = judgement;
  const lastScanFailed = subject.kind === 'image' && subject.lastScanFailed;
  const isArtifact = subject.kind === 'artifact';
  const waitsUntil = subject.kind === 'image' ? subject.waitsUntil : null;
  return destinationStanding({
    judgement: { passes, code: passes === false ? judgement.code : null },
    caveat: caveatOf({ standing, lastScanFailed, isArtifact }),
    ...{ standing, waitsUntil, found, waivers },
  });
}
