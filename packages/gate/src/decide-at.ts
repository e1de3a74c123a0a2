/** The decision of each door, for what enforces it and for what explains it. */
import type { GateDoor, Principal, PullDecision } from '@portcullis/domain';
import type { Gate } from './gate.ts';
import { type DecidedPull, strictest } from './manifest-decision.ts';
import type { ImageInFolder } from './standing-cache.ts';

export interface GateQuestion {
  door: GateDoor;
  image: ImageInFolder;
  account: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;
  /** The repository that has the content, where the image is not in its own yet. */
  contentIn?: string | undefined;
  /** Ends the decision, as the client does by leaving. */
  signal?: AbortSignal | undefined;
}

/**
 * A push over `/v2` is never refused, only scanned. A copy takes all platforms along and does not
 * wait, so that each of them has to pass now.
 */
export async function decideAt(
  question: GateQuestion,
  { rules, decide }: Pick<Gate, 'rules' | 'decide'>,
): Promise<DecidedPull> {
  switch (question.door) {
    case 'pull':
      return decide(question);
    case 'push': {
      const { pushGate: mode } = (await rules()).gateOf(question.image.folder);
      return decide({ ...question, mode });
    }
    case 'copy_from':
      return ofCopy(await decide(question), atOnce);
    case 'copy_to':
      return ofCopy(await decide(question), (decision) => withoutGrace(atOnce(decision)));
  }
}

function ofCopy(decided: DecidedPull, rule: (decision: PullDecision) => PullDecision): DecidedPull {
  const worst = strictest(decided);
  const { requested, children } = decided;
  return { ...worst, decision: rule(worst.decision), requested, children };
}

/** As the gate of staging jobs, whose one code is for everything without a complete scan. */
function atOnce(decision: PullDecision): PullDecision {
  if (decision.serve === null) return { serve: false, code: 'SCAN_REQUIRED' };
  if (decision.serve || decision.code !== 'SCAN_FAILED') return decision;
  return { serve: false, code: 'SCAN_REQUIRED' };
}

/** The grace period is for what the folder has, not for what it gets. */
function withoutGrace(decision: PullDecision): PullDecision {
  const isGrace = decision.serve === true && decision.because === 'grace';
  return isGrace ? { serve: false, code: decision.code } : decision;
}
