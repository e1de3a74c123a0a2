/** Who may see, comment on, decide about and withdraw a review request. */
import { foldersWith } from '../access/access.ts';
import { ALLOWED, type Decision, denied } from '../access/decision.ts';
import type { Principal } from '../access/principal.ts';
import { mayReviewWaivers } from '../waivers/waiver-requests.ts';
import type { Review } from './review.ts';

type Reviewer = Pick<Principal, 'id' | 'isAdmin' | 'canBypassVulnBlock' | 'robotOf'>;
type Requested = Pick<Review, 'requestedById'>;

/** What an account sees besides its own requests. */
export interface ReviewViewer {
  accountId: string;
  /** Folders that it may pull from. */
  folders: readonly string[];
  /** Whether it sees requests for other registries. */
  external: boolean;
}

/** Undefined: all of them. */
export function reviewViewer(
  principal: Reviewer & Pick<Principal, 'grants'>,
): ReviewViewer | undefined {
  if (principal.isAdmin) return undefined;
  return {
    accountId: principal.id,
    folders: foldersWith(principal.grants, 'pull'),
    external: mayReviewWaivers(principal).allowed,
  };
}

export function maySeeReview(
  principal: Parameters<typeof reviewViewer>[0],
  { requestedById, destination: { kind, folder } }: Requested & Pick<Review, 'destination'>,
): boolean {
  const viewer = reviewViewer(principal);
  if (viewer === undefined || requestedById === viewer.accountId) return true;
  return kind === 'local' ? folder !== null && viewer.folders.includes(folder) : viewer.external;
}

/** Of those who see it. Robots have no part: the members of a group make their tokens. */
export function mayCommentReview(principal: Reviewer): Decision {
  return principal.robotOf === undefined ? ALLOWED : mayReviewWaivers(principal);
}

/** Whether this account may approve or reject, which the requester never may. */
export function mayDecideReview(principal: Reviewer, { requestedById }: Requested): Decision {
  const decision = mayReviewWaivers(principal);
  if (!decision.allowed || requestedById !== principal.id) return decision;
  return denied('REVIEW_OWN_REQUEST', 'Another account has to decide about this request.');
}

export function mayWithdrawReview(
  { id, isAdmin }: Pick<Principal, 'id' | 'isAdmin'>,
  { requestedById }: Requested,
): Decision {
  if (isAdmin || requestedById === id) return ALLOWED;
  return denied(
    'REVIEW_NOT_YOURS',
    'Only the account that requested it, or an administrator, may withdraw it.',
  );
}
