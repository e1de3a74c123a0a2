/** Approving, rejecting and revoking waivers: the rules are the same for each way in. */
import {
  assertAllowed,
  isOpen,
  mayApproveWaiver,
  mayRequestWaiver,
  mayReviewWaivers,
  mayRevokeWaiver,
  type Principal,
  withApproval,
} from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Store, StoredWaiver } from '@portcullis/store';

export interface WaiverReviewPorts {
  store: {
    waivers: Pick<Store['waivers'], 'save'>;
    users: Pick<Store['users'], 'find'>;
    folders: Pick<Store['folders'], 'grantsFor'>;
  };
  /** How many different accounts have to approve a waiver. */
  approvalsNeeded: number;
  now(): Date;
}

type Reviewer = Pick<Principal, 'id' | 'username' | 'isAdmin' | 'canBypassVulnBlock' | 'robotOf'>;

export function createWaiverReviews({ store, approvalsNeeded, now }: WaiverReviewPorts) {
  async function approve(reviewer: Reviewer, waiver: StoredWaiver): Promise<StoredWaiver> {
    assertAllowed(mayApproveWaiver(reviewer, waiver));
    assertOpen(waiver, now());
    await assertAuthorMay(waiver);
    const standing = { ...waiver, approvals: await stillValid(waiver) };
    const { state, approvals } = withApproval(standing, reviewer, approvalsNeeded, now());
    return store.waivers.save({ ...waiver, state, approvals });
  }

  /** @throws conflict `WAIVER_REQUESTER_FORBIDDEN` where it would not be in force */
  async function assertAuthorMay({ requestedById, folder }: StoredWaiver): Promise<void> {
    const author = await store.users.find(requestedById);
    const grants = author ? await store.folders.grantsFor(requestedById) : [];
    if (author && !author.disabled) {
      if (mayRequestWaiver({ ...author, grants }, { folder }).allowed) return;
    }
    throw conflict(
      'WAIVER_REQUESTER_FORBIDDEN',
      'The account that requested this waiver may no longer request it.',
    );
  }

  /** The approvals of accounts that may still review waivers. */
  async function stillValid({ approvals }: StoredWaiver) {
    const accounts = await Promise.all(
      approvals.map(({ accountId }) => store.users.find(accountId)),
    );
    return approvals.filter((_, at) => {
      const account = accounts[at];
      return account && !account.disabled && mayReviewWaivers(account).allowed;
    });
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
