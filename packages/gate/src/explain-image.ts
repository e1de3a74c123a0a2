/** A decision as people ask for it: with what keeps the signatures from being verified. */
import type { Store } from '@portcullis/store';
import type { ExplainedDecision } from './explanation.ts';

/** Events have the decision alone: a fault passes, and says nothing of the image. */
export async function explainImage(
  decision: ExplainedDecision,
  facts: Pick<Store['signatureFacts'], 'faultOf'>,
) {
  const fault = decision.signatures.length === 0 ? null : await facts.faultOf(decision.digest);
  return {
    ...decision,
    signatures_fault: fault && {
      code: fault.code,
      message: fault.message,
      next_try_at: fault.nextTryAt?.toISOString() ?? null,
    },
  };
}
