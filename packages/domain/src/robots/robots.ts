/**
 * Robots: machine accounts that have tokens and no password. The rule who manages their tokens, and
 * limits.
 */
import type { Principal } from '../access/principal.ts';

export interface ManagedRobot {
  /** Null: administrators alone manage it. */
  ownerGroupId: string | null;
  /** The groups whose rights it has. */
  groupIds: readonly string[];
  canBypassVulnBlock: boolean;
}

/**
 * Whether the account may create, rotate and revoke tokens of the robot. A token has the robot's
 * rights, so a member of the owning group needs each of them.
 */
export function mayManageTokens(
  { isAdmin, canBypassVulnBlock }: Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>,
  memberOf: ReadonlySet<string>,
  robot: ManagedRobot,
): boolean {
  if (isAdmin) return true;
  if (robot.ownerGroupId === null || !memberOf.has(robot.ownerGroupId)) return false;
  if (robot.canBypassVulnBlock && !canBypassVulnBlock) return false;
  return robot.groupIds.every((id) => memberOf.has(id));
}

export const MOST_ROBOTS = 2_000;
export const MOST_TOKENS_OF_ROBOT = 50;
/** How long the former secret stays valid after a rotation, at most. */
export const MOST_OVERLAP_HOURS = 168;

/** When a token that is rotated ends: after the overlap, and never later than before. */
export function endOfRotated(expiresAt: Date, overlapHours: number, now: Date): Date {
  return new Date(Math.min(expiresAt.getTime(), now.getTime() + overlapHours * 3_600_000));
}
