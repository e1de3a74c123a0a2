/** The privilege to push images that the gate stops, and its use by one push. */
import type { Principal } from '../access/principal.ts';

/** What the requester of a push says of the privilege. */
export interface BypassOrder {
  /** False: the gate stops this push as it stops those of other accounts. */
  allowed: boolean;
  /** Why a blocked image may pass; null where no reason was given. */
  reason: string | null;
}

/** The order of requests that say nothing of it, and of pushes of older releases. */
export const USUAL_BYPASS: BypassOrder = { allowed: true, reason: null };

type Privileged = Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;

/** The account as the gate sees it for a push with this order. */
export function atGate<T extends Privileged>(principal: T, { allowed }: BypassOrder): T {
  return allowed ? principal : { ...principal, isAdmin: false, canBypassVulnBlock: false };
}
