/** Why an image of a plan is not copied, in the user's language. */
import type { TransferPlan } from '@portcullis/contract';
import { useJobFaultText } from '../../../kit/fault/job-fault.tsx';

type Reasoned = Pick<TransferPlan['items'][number], 'code' | 'reason'>;

/** Null for an image without a reason. */
export function usePlanReason(): (item: Reasoned) => string | null {
  const text = useJobFaultText();
  return ({ code, reason }) => (code === null ? reason : text({ code, message: reason ?? '' }));
}
