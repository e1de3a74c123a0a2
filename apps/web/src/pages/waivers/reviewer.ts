/** What an account may do with waivers: a hint only, the server decides. */
import type { CurrentUser, Waiver } from '@portcullis/contract';

type Rights = Pick<CurrentUser, 'id' | 'is_admin' | 'can_bypass_vuln_block'>;
type Reviewed = Pick<Waiver, 'state' | 'approvals'> & { requested_by: { id: string } };

export const WAIVER_ACTS = ['approve', 'reject', 'revoke'] as const;
export type WaiverAct = (typeof WAIVER_ACTS)[number];

export function isReviewer(account: Omit<Rights, 'id'>): boolean {
  return account.is_admin || account.can_bypass_vuln_block;
}

/** The requester revokes what it requested, which withdraws the request. */
export function mayDo(act: WaiverAct, waiver: Reviewed, account: Rights): boolean {
  const { state, requested_by: requester, approvals } = waiver;
  const isOwn = requester.id === account.id;
  const reviewsRequest = state === 'requested' && isReviewer(account) && !isOwn;
  switch (act) {
    case 'approve':
      return reviewsRequest && approvals.every(({ id }) => id !== account.id);
    case 'reject':
      return reviewsRequest;
    case 'revoke':
      return (
        (state === 'approved' && (isOwn || isReviewer(account))) || (state === 'requested' && isOwn)
      );
  }
}
