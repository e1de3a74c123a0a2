/** Whether an image passes its folder's policy now, and what changed since it was judged last. */

import type { RatedVerdict } from '../policy/vulnerability.ts';
import { soonestOf } from '../waivers/soonest.ts';
import type { Policy } from './policy.ts';
import {
  isWaivedIn,
  type JudgedSubject,
  judgeSubject,
  type RefusalCode,
  validUntilOf,
} from './pull-decision.ts';

/** The outcome for a tagged image, as the doors of its folder would decide. */
export interface ImageOutcome {
  /** Null while no scan says more. */
  passes: boolean | null;
  /** Null without a report, and for what is no image. */
  verdict: RatedVerdict | null;
  /** Whether it passes only because waivers cover what would block it. */
  waived: boolean;
  /** The code of the refusal; null where it passes. */
  code: string | null;
  /** Ids of the vulnerabilities that block it, each once. */
  blocking: string[];
  /** When time alone may change it; null: never. */
  validUntil: Date | null;
}

export function outcomeOf(subject: JudgedSubject, policy: Policy, now: Date): ImageOutcome {
  const judgement = judgeSubject({ subject, policy, now });
  const standing = subject.kind === 'image' ? subject.standing : null;
  return {
    passes: judgement.passes,
    verdict: standing?.verdict ?? null,
    waived: judgement.passes === true && isWaivedIn(standing),
    code: judgement.passes === false ? judgement.code : null,
    blocking: [...new Set(standing?.blocking.map(({ finding }) => finding.id))],
    validUntil: soonestOf([validUntilOf(subject), databaseEnd(subject, policy, now)]),
  };
}

/** When the database of the report becomes too old for the policy. */
function databaseEnd(
  subject: JudgedSubject,
  { maxDatabaseAgeDays }: Policy,
  now: Date,
): Date | null {
  if (subject.kind !== 'image' || maxDatabaseAgeDays === null) return null;
  const built = Date.parse(subject.databaseAt ?? '');
  const end = built + maxDatabaseAgeDays * 86_400_000 + 1;
  return end > now.getTime() ? new Date(end) : null;
}

export type StandingChange = 'blocked' | 'cleared';

type Announced = Pick<ImageOutcome, 'passes' | 'code'>;

/**
 * What is announced: an image that stops passing, and one that passes again. A new image that is
 * blocked by its first scan is announced; one that passes is not, nor one that only waits.
 */
export function standingChange(before: Announced | null, after: Announced): StandingChange | null {
  const wasBlocked = before !== null && isBlockedOutcome(before);
  if (isBlockedOutcome(after)) return wasBlocked ? null : 'blocked';
  return after.passes === true && wasBlocked ? 'cleared' : null;
}

/** An image that is too young, or whose signatures are being verified, needs no act yet. */
function isBlockedOutcome({ passes, code }: Announced): boolean {
  return passes === false && !PASSING_BY_ITSELF.some((each) => each === code);
}

const PASSING_BY_ITSELF: readonly RefusalCode[] = ['TOO_YOUNG', 'SIGNATURES_NOT_VERIFIED'];
