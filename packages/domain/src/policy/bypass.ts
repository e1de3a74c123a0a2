/** The privilege to push images that the gate stops, and its use by one push. */
import type { Principal } from '../access/principal.ts';

/** What the requester of a push says of the privilege. */
export interface BypassOrder {
  /** False: the gate stops this push as it stops those of other accounts. */
  allowed: boolean;
  /** Why a blocked image may pass; null where no reason was given. */
  reason: string | null;
}

/** The order of requests that say nothing of it. */
export const USUAL_BYPASS: BypassOrder = { allowed: true, reason: null };

/**
 * The order as far as the caller's token allows it. It is stored with the push, because the worker
 * knows the account alone.
 */
export function bypassOf(
  { tokenActions }: Pick<Principal, 'tokenActions'>,
  order: BypassOrder,
): BypassOrder {
  return tokenActions === undefined || tokenActions.has('bypass')
    ? order
    : { ...order, allowed: false };
}

type Privileged = Pick<Principal, 'isAdmin' | 'canBypassVulnBlock'>;

/** The account as the gate sees it for a push with this order. */
export function atGate<T extends Privileged>(principal: T, { allowed }: BypassOrder): T {
  return allowed ? principal : { ...principal, isAdmin: false, canBypassVulnBlock: false };
}
