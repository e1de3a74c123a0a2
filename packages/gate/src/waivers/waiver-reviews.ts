/** Approving, rejecting and revoking waivers: the rules are the same for each way in. */
import {
  assertAllowed,
  isOpen,
  mayApproveWaiver,
  mayReviewWaivers,
  mayRevokeWaiver,
  type Principal,
  withApproval,
} from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Store, StoredWaiver } from '@portcullis/store';
import { assertAuthorMay, validApprovals, type WaiverAccounts } from './accounts-of-waivers.ts';

export interface WaiverReviewPorts {
  store: WaiverAccounts & { waivers: Pick<Store['waivers'], 'save'> };
  /** How many different accounts have to approve a waiver. */
  approvalsNeeded: number;
  now(): Date;
}

type Reviewer = Pick<Principal, 'id' | 'username' | 'isAdmin' | 'canBypassVulnBlock' | 'robotOf'>;

export function createWaiverReviews({ store, approvalsNeeded, now }: WaiverReviewPorts) {
  async function approve(reviewer: Reviewer, waiver: StoredWaiver): Promise<StoredWaiver> {
    assertAllowed(mayApproveWaiver(reviewer, waiver));
    assertOpen(waiver, now());
    await assertAuthorMay(store, waiver);
    const standing = { ...waiver, approvals: await validApprovals(store, waiver.approvals) };
    const { state, approvals } = withApproval(standing, reviewer, approvalsNeeded, now());
    return store.waivers.save({ ...waiver, state, approvals });
  }

  async function reject(
    reviewer: Reviewer,
    waiver: StoredWaiver,
    reason: string,
  ): Promise<StoredWaiver> {
    assertAllowed(mayReviewWaivers(reviewer));
    assertOpen(waiver, now());
    const closed = closing(reviewer, reason);
    return store.waivers.save({ ...waiver, state: 'rejected', closed });
  }

  async function revoke(
    reviewer: Reviewer,
    waiver: StoredWaiver,
    reason: string | null,
  ): Promise<StoredWaiver> {
    assertAllowed(mayRevokeWaiver(reviewer, waiver));
    const isApproved = waiver.state === 'approved' && waiver.expiresAt > now();
    if (!isApproved) assertOpen(waiver, now());
    const closed = closing(reviewer, reason);
    return store.waivers.save({ ...waiver, state: 'revoked', closed });
  }

  function closing({ username }: Reviewer, reason: string | null) {
    return { by: username, at: now(), reason };
  }

  return { approve, reject, revoke };
}

/** @throws conflict `WAIVER_CLOSED` */
function assertOpen(waiver: StoredWaiver, now: Date): void {
  if (!isOpen(waiver, now))
    throw conflict('WAIVER_CLOSED', 'The waiver is closed already, or has ended.');
}
