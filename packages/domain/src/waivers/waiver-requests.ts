/** Who may request, approve, reject and revoke a waiver, and what becomes of it. */
import { foldersToAsk, type KnownFolders, neededToAsk } from '../access/access.ts';
import { ALLOWED, type Decision, denied } from '../access/decision.ts';
import type { Principal } from '../access/principal.ts';
import { bypasses } from '../policy/verdict.ts';
import { MOST_WAIVER_DAYS, type Waiver, type WaiverScope } from './waiver.ts';

const DAY_MS = 86_400_000;

type WaiverAuthor = Pick<
  Principal,
  'isAdmin' | 'canBypassVulnBlock' | 'grants' | 'robotOf' | 'tokenActions'
>;

/** The members of a group make the tokens of its robots: one of them could use two accounts. */
const NO_ROBOT = denied(
  'WAIVER_FORBIDDEN',
  'A robot may not request or review waivers; use a token of your own account.',
);

/**
 * A waiver of one folder needs the right to push there, and of a mirror that or the right to bring
 * images in; one of all folders, an approver. With a limited token, its folders count also for an
 * approver.
 */
export function mayRequestWaiver(
  principal: WaiverAuthor,
  { folder }: Pick<WaiverScope, 'folder'>,
  mirrors: KnownFolders['mirrors'],
): Decision {
  if (principal.robotOf !== undefined) return NO_ROBOT;
  if (bypasses(principal) && principal.tokenActions === undefined) return ALLOWED;
  if (folder === null)
    return denied(
      'WAIVER_FORBIDDEN',
      'A waiver for all folders needs can_bypass_vuln_block; name a folder.',
    );
  const { grants } = principal;
  if (foldersToAsk(grants, mirrors).includes(folder)) return ALLOWED;
  const needed = neededToAsk(folder, { grants, mirrors });
  return denied('WAIVER_FORBIDDEN', `Requesting a waiver needs ${needed}.`);
}

/** Approving, rejecting and revoking another account's waiver. */
export function mayReviewWaivers(
  principal: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock' | 'robotOf'>,
): Decision {
  if (principal.robotOf !== undefined) return NO_ROBOT;
  if (bypasses(principal)) return ALLOWED;
  return denied('WAIVER_FORBIDDEN', 'Reviewing waivers needs can_bypass_vuln_block.');
}

type Reviewer = Pick<Principal, 'id' | 'isAdmin' | 'canBypassVulnBlock' | 'robotOf'>;

/** Whether this account may add its approval, which never is the requester's. */
export function mayApproveWaiver(
  principal: Reviewer,
  { requestedById }: Pick<Waiver, 'requestedById'>,
): Decision {
  const decision = mayReviewWaivers(principal);
  if (!decision.allowed || requestedById !== principal.id) return decision;
  return denied('WAIVER_OWN_REQUEST', 'Another account has to approve this waiver.');
}

/** Adds an approval; approved once it has as many as are needed. */
export function withApproval(
  waiver: Waiver,
  by: { id: string; username: string },
  needed: number,
  now: Date,
): Waiver {
  const others = waiver.approvals.filter(({ accountId }) => accountId !== by.id);
  const approvals = [...others, { accountId: by.id, username: by.username, at: now }];
  return { ...waiver, approvals, state: approvals.length >= needed ? 'approved' : 'requested' };
}

/** Whether the waiver still waits for a review. */
export function isOpen({ state, expiresAt }: Waiver, now: Date): boolean {
  return state === 'requested' && expiresAt > now;
}

/** Revoking is for the requester and for reviewers. */
export function mayRevokeWaiver(
  principal: Reviewer,
  { requestedById }: Pick<Waiver, 'requestedById'>,
): Decision {
  return requestedById === principal.id ? ALLOWED : mayReviewWaivers(principal);
}

/** Whether the end is in the future and at most `MOST_WAIVER_DAYS` away. */
export function isWaiverEnd(end: Date, now: Date): boolean {
  return end > now && end.getTime() - now.getTime() <= MOST_WAIVER_DAYS * DAY_MS;
}
