/** What another policy would change for one image. */
import type { RefusalCode, SubjectJudgement } from './pull-decision.ts';

/** `blocked`: it passes no more. `allowed`: it passes, and did not. */
export interface PolicyEffect {
  change: 'blocked' | 'allowed';
  /** Why it is blocked, after the change or before. */
  code: RefusalCode;
}

/** Null where the image passes or is blocked under both. */
export function policyEffect(
  before: SubjectJudgement,
  after: SubjectJudgement,
): PolicyEffect | null {
  if (after.passes === false && before.passes !== false)
    return { change: 'blocked', code: after.code };
  if (before.passes === false && after.passes !== false)
    return { change: 'allowed', code: before.code };
  return null;
}
