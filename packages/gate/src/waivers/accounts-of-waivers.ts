/** Whether the accounts behind a waiver or a review request still have the rights for it. */
import { mayRequestWaiver, mayReviewWaivers } from '@portcullis/domain';
import { conflict } from '@portcullis/errors';
import type { Store } from '@portcullis/store';

export interface WaiverAccounts {
  users: Pick<Store['users'], 'find'>;
  folders: Pick<Store['folders'], 'grantsFor'>;
  mirrors: Pick<Store['mirrors'], 'byFolder'>;
}

/**
 * A waiver is in force while its requester may still request it.
 * @throws conflict `WAIVER_REQUESTER_FORBIDDEN` where it would not be
 */
export async function assertAuthorMay(
  { users, folders, mirrors }: WaiverAccounts,
  { requestedById, folder }: { requestedById: string; folder: string | null },
): Promise<void> {
  const author = await users.find(requestedById);
  const grants = author ? await folders.grantsFor(requestedById) : [];
  if (author && !author.disabled) {
    const known = await mirrors.byFolder();
    if (mayRequestWaiver({ ...author, grants }, { folder }, known).allowed) return;
  }
  throw conflict(
    'WAIVER_REQUESTER_FORBIDDEN',
    'The account that requested this waiver may no longer request it.',
  );
}

/** The approvals of accounts that may still review waivers. */
export async function validApprovals<Approval extends { accountId: string }>(
  { users }: Pick<WaiverAccounts, 'users'>,
  approvals: readonly Approval[],
): Promise<Approval[]> {
  const accounts = await Promise.all(approvals.map(({ accountId }) => users.find(accountId)));
  return approvals.filter((_, at) => {
    const account = accounts[at];
    return account && !account.disabled && mayReviewWaivers(account).allowed;
  });
}
